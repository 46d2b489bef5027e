import { mapValues } from './collections.ts';

/**
 * Reads a setting from the environment of the function. A missing setting is a deployment fault and fails the start.
 */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/**
 * Reads all settings of a function at once, under the names that its code uses.
 *
 * @throws when one is missing, like `setting`
 */
export function environment<Names extends string>(variables: Readonly<Record<Names, string>>) {
  return mapValues(variables, setting);
}
