/** Runs work with these additional environment variables, and restores the environment afterwards. */
export function withEnvironment<Result>(variables: Readonly<Record<string, string>>, work: () => Result): Result {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  const restore = () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  const result = work();
  if (result instanceof Promise) result.finally(restore).catch(() => {});
  else restore();
  return result;
}
