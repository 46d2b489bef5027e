import * as z from 'zod/mini';
import { describe, log } from '#shared/platform/logger.ts';

/** The part of the request of CloudFormation that is read here. */
const resourceRequest = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.string(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  PhysicalResourceId: z.optional(z.string()),
  ResourceProperties: z.record(z.string(), z.unknown()),
});

/** Sends an answer to where CloudFormation waits for it. */
export type SendAnswer = (url: URL, answer: string) => Promise<void>;

/**
 * Applies the properties and sends CloudFormation the result, without which it would wait. The deletion of the resource
 * changes nothing: a table that survives its stack keeps what it holds.
 *
 * Our own, because the function of CDK's `Provider` answers by HTTPS alone, and the local AWS is reached without it.
 */
export function customResource(bringAbout: (properties: unknown) => Promise<void>, send: SendAnswer) {
  return async (event: unknown): Promise<void> => {
    const request = resourceRequest.parse(event);
    const { RequestType, ResponseURL, StackId, RequestId, LogicalResourceId, PhysicalResourceId } = request;
    const failure = RequestType === 'Delete' ? undefined : await failureOf(bringAbout(request.ResourceProperties));
    if (failure !== undefined) log.error('CUSTOM_RESOURCE_FAILED', { requestId: RequestId, cause: failure });
    const answer = {
      ...(failure === undefined ? { Status: 'SUCCESS' } : { Status: 'FAILED', Reason: failure }),
      // Another id would have CloudFormation take the resource for another one.
      PhysicalResourceId: PhysicalResourceId ?? LogicalResourceId,
      StackId,
      RequestId,
      LogicalResourceId,
    };
    await send(new URL(ResponseURL), JSON.stringify(answer));
  };
}

/** A sentence at most: CloudFormation takes no answer of more than 4096 bytes. */
async function failureOf(work: Promise<void>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return describe(error);
  }
}
