/** The day in UTC as a number: 20260801. Everybody plays the same rounds on one day, and others on the next. */
export function seedOfTheDay(): number {
  return Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));
}
