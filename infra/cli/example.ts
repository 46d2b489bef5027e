import type { OperatorRoute } from '#infra/platform/operator-route.ts';
import type { Parameter, Parameters } from './parameters.ts';

/** The example of a command, as a person types it. */
export function exampleOf(
  { contract, example }: OperatorRoute,
  { required, last, optional, onlyFromFile }: Parameters,
): string {
  const values = onlyFromFile
    ? ['new.json']
    : [...required, ...(last === undefined ? [] : [last])].map((parameter) => textAt(parameter, example));
  const options = optional.flatMap((parameter) => {
    const value = textAt(parameter, example);
    return value === '' ? [] : [`--${parameter.name} ${value}`];
  });
  const reason = contract.method === 'GET' ? [] : ["--reason 'Contract 17 was signed'"];
  const typed = `  npm run ops -- ${[contract.name, ...values, ...options, ...reason].join(' ')}`;
  return onlyFromFile ? `${typed}\n\nwith this in new.json:\n${JSON.stringify(example, null, 2)}` : typed;
}

function textAt({ path }: Parameter, example: unknown): string {
  const value = path.reduce<unknown>(
    (whole, name) =>
      typeof whole === 'object' && whole !== null
        ? Object.entries(whole).find(([key]) => key === name)?.[1]
        : undefined,
    example,
  );
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
