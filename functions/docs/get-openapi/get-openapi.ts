import type { getOpenapiContract } from '#shared/docs/docs-contract.ts';
import { docsUrl } from '#shared/platform/http/answer.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Description {
  readonly openapi: string;
  readonly externalDocs: object;
  readonly components: {
    readonly securitySchemes: { readonly oauth2: { readonly flows: { readonly clientCredentials: object } } };
  };
}

/** The server is the address of the request, so that generated clients and the page call the same host; the guides are where the deployment has them. */
export function getOpenapi(description: Description): UseCase<typeof getOpenapiContract> {
  const { components } = description;
  const { securitySchemes } = components;
  const { clientCredentials } = securitySchemes.oauth2.flows;
  return async ({ http }) => {
    const base = http.url.slice(0, http.url.lastIndexOf('/api/'));
    const flows = { clientCredentials: { ...clientCredentials, tokenUrl: `${base}/api/token` } };
    const oauth2 = { ...securitySchemes.oauth2, flows };
    return {
      body: {
        ...description,
        servers: [{ url: base }],
        externalDocs: { ...description.externalDocs, url: docsUrl(http.url) },
        components: { ...components, securitySchemes: { ...securitySchemes, oauth2 } },
      },
    };
  };
}
