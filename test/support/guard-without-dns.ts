import { type GuardTarget, parseWebhookTarget } from '#shared/webhooks/http-client/ssrf-guard.ts';

/** The guard without DNS: every name is public. */
export const guardWithoutDns: GuardTarget = async (text) => {
  const { url, addresses = ['8.8.8.8'] } = parseWebhookTarget(text, { allowsThisMachine: false });
  return { url, addresses };
};
