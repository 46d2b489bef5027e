export { ApiProblem, isProblem, type ProblemCode } from './api-problem.ts';
export { type Call, type Connection, connect } from './connect.ts';
export { routes, type Schemas } from './generated.ts';
export { itemsOf, type ListRoute, pagesOf } from './pages.ts';
export type { AnswerOf, RequestOf, Route } from './routes.ts';
export { verifyWebhook, type WebhookEvent, WebhookVerificationError } from './verify-webhook.ts';
