type Attributes = Readonly<Record<string, unknown>>;

/**
 * The parts of an update that sets each attribute to its value, and removes those whose value is undefined; and sets each
 * of the others where the item has none. Every name is an alias, `#name` and `:name`, because DynamoDB reserves many.
 */
export function assignments(always: Attributes, ifNone: Attributes = {}) {
  const attributes = { ...always, ...ifNone };
  const names = Object.keys(attributes);
  const set = names.filter((name) => attributes[name] !== undefined);
  const removed = names.filter((name) => attributes[name] === undefined);
  const assigned = (name: string) => (name in ifNone ? `if_not_exists(#${name}, :${name})` : `:${name}`);
  const clauses = [
    ...(set.length > 0 ? [`SET ${set.map((name) => `#${name} = ${assigned(name)}`).join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
  ];
  return {
    expression: clauses.join(' '),
    names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: Object.fromEntries(set.map((name) => [`:${name}`, attributes[name]])),
  };
}
