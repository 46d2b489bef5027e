/** Reports how the work ended, ✓ or ✗, before its promise settles. */
export async function reportOutcome<T>(work: Promise<T>, report: (mark: '✓' | '✗') => void): Promise<T> {
  try {
    const result = await work;
    report('✓');
    return result;
  } catch (error) {
    report('✗');
    throw error;
  }
}

/** @param milliseconds how long it takes so far, or took in all */
export function progressLine(mark: '…' | '✓' | '✗', milliseconds: number | undefined, what: string): string {
  const time = milliseconds === undefined ? '' : `${(milliseconds / 1000).toFixed(1)} s`;
  return `  ${mark} ${time.padStart(7)}  ${what}`;
}
