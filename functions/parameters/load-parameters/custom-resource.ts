import * as z from 'zod/mini';
import { describe, log } from '#shared/platform/logger.ts';

/** The fields of CloudFormation's request that are used here. */
const resourceRequest = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.string(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  PhysicalResourceId: z.optional(z.string()),
  ResourceProperties: z.record(z.string(), z.unknown()),
});

/** Sends an answer to the address at which CloudFormation waits. */
export type SendAnswer = (url: URL, answer: string) => Promise<void>;

/**
 * Applies the properties and sends the result to CloudFormation, which waits for it. Deleting the resource changes
 * nothing: a table that survives its stack keeps its items.
 *
 * CDK's `Provider` does not work here: its function answers over HTTPS only, and the local AWS has none.
 */
export function createCustomResource(apply: (properties: unknown) => Promise<void>, send: SendAnswer) {
  return async (event: unknown): Promise<void> => {
    const request = resourceRequest.parse(event);
    const { RequestType, ResponseURL, StackId, RequestId, LogicalResourceId, PhysicalResourceId } = request;
    const failure = RequestType === 'Delete' ? undefined : await failureOf(apply(request.ResourceProperties));
    if (failure !== undefined) log.error('CUSTOM_RESOURCE_FAILED', { requestId: RequestId, cause: failure });
    const answer = {
      ...(failure === undefined ? { Status: 'SUCCESS' } : { Status: 'FAILED', Reason: failure }),
      // With another id CloudFormation would replace the resource.
      PhysicalResourceId: PhysicalResourceId ?? LogicalResourceId,
      StackId,
      RequestId,
      LogicalResourceId,
    };
    await send(new URL(ResponseURL), JSON.stringify(answer));
  };
}

/** Why the work failed, in at most 500 characters: CloudFormation rejects answers over 4096 bytes. */
async function failureOf(work: Promise<void>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return describe(error);
  }
}
