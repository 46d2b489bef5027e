import * as z from 'zod/mini';
import { endpoints, sandboxEndpoints } from '#infra/api/endpoints.ts';
import type { Endpoint } from '#infra/platform/route.ts';
import type { Access, Contract } from '#shared/platform/http/contract.ts';

/** The page with the tables of routes, relative to the project. */
export const API_PAGE = 'docs/api.md';

/** The section of the page in which a module's routes for clients stand. */
const sections: Readonly<Record<string, string>> = {
  clients: 'Access and users',
  'pay-ins': 'Pay-ins',
  'off-ramps': 'Off-ramps',
  events: 'Event feed',
  webhooks: 'Webhooks',
  parameters: 'Public',
  docs: 'Public',
};

const callers: Readonly<Record<Access, string>> = {
  public: 'anyone',
  client: 'client',
  'approved-client': 'approved client',
  provider: 'provider',
  operator: 'operator',
};

/** Fills the tables of the page: each route has a row, made from its contract, in the table of its section. */
export function withRouteTables(page: string): string {
  const bySection = Object.groupBy([...endpoints, ...sandboxEndpoints], sectionOf);
  return Object.entries(bySection).reduce((text, [section, served = []]) => {
    const table = new RegExp(`(?<=\n### ${section}\n[^#]*\n\\| --- \\| --- \\| --- \\|\n)(\\|.*\n)*`);
    if (!table.test(text)) throw new Error(`Give ${API_PAGE} a section ${section} with a table of its routes.`);
    return text.replace(table, () => served.flatMap(rowsOf).join(''));
  }, page);
}

function sectionOf(endpoint: Endpoint): string {
  if (sandboxEndpoints.includes(endpoint)) return 'Sandbox';
  if (endpoint.contract.access === 'provider') return 'From providers';
  const [module = ''] = endpoint.folder.split('/');
  const section = sections[module];
  if (section === undefined)
    throw new Error(`Say in infra/api/openapi/route-tables.ts where routes of ${module} stand.`);
  return section;
}

function rowsOf({ contract, alsoServes = [], folder }: Endpoint): readonly string[] {
  return [contract, ...alsoServes].flatMap((one) =>
    [one.path, ...(one.aliases ?? [])].map((path) => {
      const does = path === contract.path ? `${one.summary}${filtersOf(one)}` : 'The same';
      return `| [\`${one.method} ${path}\`](../functions/${folder}) | ${callers[one.access]} | ${does} |\n`;
    }),
  );
}

function filtersOf({ query }: Contract): string {
  const names = query instanceof z.ZodMiniObject ? Object.keys(query.shape) : [];
  return names.length === 0 ? '' : `; \`?${names.map((name) => `${name}=`).join('&')}\``;
}
