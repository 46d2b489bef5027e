import type { getOpenapiContract } from '#shared/docs/docs-contract.ts';
import { type Description, withoutWebhooks } from '#shared/docs/without-webhooks.ts';
import { docsUrl } from '#shared/platform/http/answer.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Published extends Description {
  readonly openapi: string;
  readonly externalDocs: object;
  readonly components: Description['components'] & {
    readonly securitySchemes: { readonly oauth2: { readonly flows: { readonly clientCredentials: object } } };
  };
}

/**
 * The server is the address of the request, so that generated clients and the page call the same host. The guides are
 * where the deployment has them.
 */
export function getOpenapi(published: Published): UseCase<typeof getOpenapiContract> {
  const { components } = published;
  const { securitySchemes } = components;
  const { clientCredentials } = securitySchemes.oauth2.flows;
  return async ({ http, query }) => {
    const isWhole = query().without === undefined;
    const base = http.url.slice(0, http.url.lastIndexOf('/api/'));
    const flows = { clientCredentials: { ...clientCredentials, tokenUrl: `${base}/api/token` } };
    const oauth2 = { ...securitySchemes.oauth2, flows };
    const description = {
      ...published,
      servers: [{ url: base }],
      externalDocs: { ...published.externalDocs, url: docsUrl(http.url) },
      components: { ...components, securitySchemes: { ...securitySchemes, oauth2 } },
    };
    return { body: isWhole ? description : withoutWebhooks(description) };
  };
}
