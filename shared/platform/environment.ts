import { mapValues } from './collections.ts';

/** A setting that the deployment gives the function; a missing one is a fault of the deployment and fails the start. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/**
 * Settings by the names that the code has for them: the function's part of the contract with its deployment, in one place.
 *
 * @throws when one is missing, like `setting`
 */
export function environment<Names extends string>(variables: Readonly<Record<Names, string>>) {
  return mapValues(variables, setting);
}
