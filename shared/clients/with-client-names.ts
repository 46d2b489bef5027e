import type { NameClients } from './client-directory.ts';

interface Listed {
  readonly body: { readonly items: readonly { readonly clientId?: string | undefined }[] };
}

/** Adds clients' names to the rows of a list, because people do not know ids. One read per page. */
export function withClientNames(nameClients: NameClients) {
  return <Call, Answer extends Listed>(list: (call: Call) => Promise<Answer>) =>
    async (call: Call) => {
      const answer = await list(call);
      const { items } = answer.body;
      const names = await nameClients(items.flatMap(({ clientId }) => clientId ?? []));
      const named = items.map((item) => ({ ...item, client: names.get(item.clientId ?? '') }));
      return { ...answer, body: { ...answer.body, items: named } };
    };
}
