/** A setting that the deployment gives the function; a missing one is a fault of the deployment and fails the start. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
