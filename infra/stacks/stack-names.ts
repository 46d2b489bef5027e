/** By which all names of a stage begin, but for a copy that is given another. */
export function copyName(stage: string): string {
  return `payin-offramp-${stage}`;
}

export function serviceStackName(copy: string): string {
  return `${copy}-service`;
}
