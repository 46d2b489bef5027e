/** The parts of the published description that are read here. */
export interface Description {
  readonly paths: object;
  readonly webhooks: object;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/**
 * The description for generators that fail on `webhooks`: the routes, and only the schemas that the routes reach,
 * because some generators treat an unreferenced schema as a mistake.
 */
export function withoutWebhooks<D extends Description>({ webhooks: _, ...document }: D) {
  const { schemas, ...components } = document.components;
  const reached = new Set(namesIn([document.paths, components]));
  for (const name of reached) for (const next of namesIn(schemas[name])) reached.add(next);
  const kept = Object.entries(schemas).filter(([name]) => reached.has(name));
  return { ...document, components: { ...components, schemas: Object.fromEntries(kept) } };
}

function namesIn(value: unknown): readonly string[] {
  const [, ...references] = JSON.stringify(value).split('"#/components/schemas/');
  return references.map((rest) => rest.slice(0, rest.indexOf('"')));
}
