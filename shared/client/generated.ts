// Written by npm run openapi, from openapi.json. Do not edit.

export namespace Schemas {
  // <Schemas>
  export type Problem = {
    type: string;
    title: string;
    status: number;
    code:
      | 'BAD_REQUEST'
      | 'MALFORMED_JSON'
      | 'INVALID_REQUEST'
      | 'UNSUPPORTED_GRANT_TYPE'
      | 'UNAUTHORIZED'
      | 'INVALID_CLIENT'
      | 'CLIENT_NOT_APPROVED'
      | 'FORBIDDEN'
      | 'NOT_FOUND'
      | 'USER_NOT_FOUND'
      | 'OFF_RAMP_NOT_FOUND'
      | 'EXTERNAL_WALLET_NOT_FOUND'
      | 'WEBHOOK_NOT_FOUND'
      | 'DELIVERY_NOT_FOUND'
      | 'PAYIN_NOT_FOUND'
      | 'OPERATION_NOT_AWAITING_DEPOSIT'
      | 'OPERATION_STATUS_CONFLICT'
      | 'PAYIN_STATUS_CONFLICT'
      | 'TX_HASH_ALREADY_DECLARED'
      | 'DEPOSIT_IN_PROGRESS'
      | 'TOO_MANY_ATTEMPTS'
      | 'WEBHOOK_INACTIVE'
      | 'WEBHOOK_ACTIVE'
      | 'TOO_MANY_WEBHOOKS'
      | 'IDEMPOTENCY_IN_PROGRESS'
      | 'SANDBOX_DEPOSIT_TAKEN'
      | 'PAYLOAD_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'VALIDATION_FAILED'
      | 'IDEMPOTENCY_KEY_REUSED'
      | 'TOO_MANY_REQUESTS'
      | 'INTERNAL_ERROR'
      | 'RAIL_REJECTED'
      | 'RAIL_UNAVAILABLE'
      | 'SERVICE_UNAVAILABLE';
    detail: string;
    requestId: string;
    payinId?: string | undefined;
    error?: ('invalid_client' | 'invalid_request' | 'unsupported_grant_type') | undefined;
    error_description?: string | undefined;
    errors?: Array<{ path: string; code: string; message: string }> | undefined;
  };
  export type Contact = {
    personId: string;
    dataTypeContact: string;
    dataValue: string;
    isVerified: boolean;
    city: string | null;
    postalCode: string | null;
    registerDate: string;
  };
  export type Person = {
    id: string;
    businessName: string;
    firstName: string;
    middleName: string | null;
    firstSurname: string | null;
    lastName: string;
    identificationType: string;
    identificationNro: string;
    verificateDigit: number;
    isJuridic: boolean;
    nationality: string | null;
    pep: string | boolean | null;
    registerDate: string;
    contactsData: Array<Contact>;
  };
  export type Client = {
    id: string;
    clientType: string;
    complianceStatus: string;
    status: string;
    tradeName: string;
    constitutionCity: string;
    constitutionState: string;
    constitutionCountryId: number;
    constitutionDate: string;
    person: Person;
  };
  export type Payin = {
    id: string;
    status: 'CASHININIT' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
    currency: string;
    amount: number;
    paymentMethod: 'PSE' | 'NEQUI' | 'DAVIPLATA';
    pseLink?: string | undefined;
    externalReference?: string | undefined;
  };
  export type PayinWithHistory = {
    id: string;
    status: 'CASHININIT' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
    currency: string;
    amount: number;
    paymentMethod: 'PSE' | 'NEQUI' | 'DAVIPLATA';
    pseLink?: string | undefined;
    externalReference?: string | undefined;
    createdAt: string;
    statusHistory: Array<{ status: 'CASHININIT' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED'; at: string }>;
  };
  export type Operation = {
    id: string;
    status: 'AWAITING_DEPOSIT' | 'PENDING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
    network:
      | 'ETHEREUM'
      | 'POLYGON'
      | 'BASE'
      | 'ARBITRUM'
      | 'OPTIMISM'
      | 'BSC'
      | 'AVALANCHE'
      | 'TRON'
      | 'STELLAR'
      | 'SOLANA'
      | 'SUI';
    token: string;
    address: string;
    addressTag?: string | undefined;
    amount: string;
    expiresAt: string;
    originExternalWalletId: string;
    externalReference?: string | undefined;
    createdAt: string;
  };
  export type OperationWithHistory = {
    id: string;
    status: 'AWAITING_DEPOSIT' | 'PENDING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
    network:
      | 'ETHEREUM'
      | 'POLYGON'
      | 'BASE'
      | 'ARBITRUM'
      | 'OPTIMISM'
      | 'BSC'
      | 'AVALANCHE'
      | 'TRON'
      | 'STELLAR'
      | 'SOLANA'
      | 'SUI';
    token: string;
    address: string;
    addressTag?: string | undefined;
    amount: string;
    expiresAt: string;
    originExternalWalletId: string;
    externalReference?: string | undefined;
    createdAt: string;
    statusHistory: Array<{
      status: 'AWAITING_DEPOSIT' | 'PENDING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
      at: string;
      reason?: string | undefined;
    }>;
  };
  export type Verification = {
    source: 'REPORTED' | 'DETECTED';
    state?: ('ACTIVE' | 'WINDOW_ENDED') | undefined;
    attempt?: number | undefined;
    reason?:
      | (
          | 'NOT_FOUND'
          | 'UNCONFIRMED'
          | 'WRONG_ADDRESS'
          | 'WRONG_TOKEN'
          | 'WRONG_AMOUNT'
          | 'WRONG_SENDER'
          | 'FAILED_ON_CHAIN'
          | 'HELD_BY_CUSTODIAN'
          | 'FUNDS_ANOTHER_OPERATION'
          | 'CUSTODIAN_UNAVAILABLE'
        )
      | undefined;
    confirmations?: number | undefined;
    requiredConfirmations?: number | undefined;
    lastCheckedAt?: string | undefined;
    nextCheckAt?: string | undefined;
    windowEndsAt?: string | undefined;
  };
  export type HashStatus = {
    operationId: string;
    operationStatus: 'AWAITING_DEPOSIT' | 'PENDING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
    txHash: string | null;
    verifiedTxHash: string | null;
    status: 'NOT_SUBMITTED' | 'VERIFYING' | 'VERIFIED' | 'NOT_VERIFIED';
    verification?: Verification | undefined;
  };
  export type Bank = { id: string; code: string; name: string; status: 'true' };
  export type Token = {
    id: number;
    token: string;
    status: true;
    registerDate?: string | undefined;
    logo_base64?: string | undefined;
  };
  export type Webhook = {
    id: string;
    method: 'POST' | 'PUT';
    process: 'ramp' | 'compliance' | 'wallet_transfer';
    status: boolean;
    statusReason?: ('ENDPOINT_GONE' | 'ENDPOINT_FAILING') | undefined;
    parkedUntil?: string | undefined;
    url: string;
    userId: string;
  };
  export type WebhookWithSecret = {
    id: string;
    method: 'POST' | 'PUT';
    process: 'ramp' | 'compliance' | 'wallet_transfer';
    status: boolean;
    statusReason?: ('ENDPOINT_GONE' | 'ENDPOINT_FAILING') | undefined;
    parkedUntil?: string | undefined;
    url: string;
    userId: string;
    secret: string;
  };
  export type Delivery = {
    id: string;
    eventId: string;
    type: string;
    status: 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED';
    reason?: ('EXHAUSTED' | 'ENDPOINT_GONE' | 'BLOCKED' | 'INTERNAL' | 'WEBHOOK_INACTIVE') | undefined;
    createdAt: string;
    nextAttemptAt?: string | undefined;
    attempts: Array<{
      at: string;
      trigger: 'SCHEDULED' | 'MANUAL' | 'REPLAY';
      statusCode?: number | undefined;
      error?: ('DNS' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'BLOCKED') | undefined;
      durationMs: number;
    }>;
  };
  export type IssueTokenAnswer = { access_token: string; token_type: 'Bearer'; expires_in: 300 };
  export type ListPayinsAnswer = { payins: Array<PayinWithHistory>; nextCursor?: string | undefined };
  export type ReceiveRailNotificationAnswer = { received: boolean };
  export type CreateWithdrawalAnswer = { operation: Operation };
  export type GetOperationAnswer = { operation: OperationWithHistory };
  export type ListOperationsAnswer = { operations: Array<Operation>; nextCursor?: string | undefined };
  export type CancelOperationAnswer = { operation: OperationWithHistory };
  export type SubmitOfframpHashAnswer = { operationId: string; txHash: string; status: 'VERIFYING' };
  export type ListWebhooksAnswer = Array<Webhook>;
  export type TestWebhookAnswer = {
    delivered: boolean;
    statusCode?: number | undefined;
    error?: ('DNS' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'BLOCKED') | undefined;
    durationMs: number;
  };
  export type ListDeliveriesAnswer = { deliveries: Array<Delivery>; nextCursor?: string | undefined };
  export type ReplayEventsAnswer = { since: string };
  export type ListBanksAnswer = Array<Bank>;
  export type ListTokensAnswer = Array<Token>;
  export type GetOpenapiAnswer = { openapi: string } & Record<string, any>;
  export type GetDocsAnswer = string;
  export type GetDocsAssetAnswer = string;
  export type ReceiveCustodianNotificationAnswer = { received: boolean };
  export type SimulateDepositAnswer = {
    custodianTransferId: string;
    network:
      | 'ETHEREUM'
      | 'POLYGON'
      | 'BASE'
      | 'ARBITRUM'
      | 'OPTIMISM'
      | 'BSC'
      | 'AVALANCHE'
      | 'TRON'
      | 'STELLAR'
      | 'SOLANA'
      | 'SUI';
    txHash: string;
    state: 'UNCONFIRMED' | 'CONFIRMED' | 'FAILED' | 'HELD';
    confirmations: number;
  };
  export type SimulatePayinAnswer = { id: string; status: 'COMPLETED' | 'FAILED' | 'EXPIRED' };
  export type SimulateOperationAnswer = { id: string; status: 'COMPLETED' | 'CANCELLED' | 'FAILED' };

  // </Schemas>
}

export namespace Endpoints {
  // <Endpoints>

  export type post_IssueToken = {
    method: 'POST';
    path: '/api/v1/client/token';
    requestFormat: 'json';
    parameters: {
      body: { client_id: string; client_secret: string; grant_type?: 'client_credentials' | undefined };
    };
    responses: {
      200: Schemas.IssueTokenAnswer;
      400: Schemas.Problem & { status: 400; code: 'MALFORMED_JSON' | 'INVALID_REQUEST' | 'UNSUPPORTED_GRANT_TYPE' };
      401: Schemas.Problem & { status: 401; code: 'INVALID_CLIENT' };
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      415: Schemas.Problem & { status: 415; code: 'UNSUPPORTED_MEDIA_TYPE' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      400: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      415: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_IssueTokenAlias = {
    method: 'POST';
    path: '/api/token';
    requestFormat: 'json';
    parameters: {
      body: { client_id: string; client_secret: string; grant_type?: 'client_credentials' | undefined };
    };
    responses: {
      200: Schemas.IssueTokenAnswer;
      400: Schemas.Problem & { status: 400; code: 'MALFORMED_JSON' | 'INVALID_REQUEST' | 'UNSUPPORTED_GRANT_TYPE' };
      401: Schemas.Problem & { status: 401; code: 'INVALID_CLIENT' };
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      415: Schemas.Problem & { status: 415; code: 'UNSUPPORTED_MEDIA_TYPE' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      400: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      415: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_GetClientInfo = {
    method: 'GET';
    path: '/api/infoClient';
    requestFormat: 'json';
    parameters: never;
    responses: {
      200: Schemas.Client;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_CreatePayin = {
    method: 'POST';
    path: '/api/v1/admin/fiats/{user_id}/payin';
    requestFormat: 'json';
    parameters: {
      path: { user_id: string };
      header: Partial<{ 'Idempotency-Key': string }>;
      body: {
        amount: number;
        currency: 'COP';
        paymentMethod?: ('PSE' | 'NEQUI' | 'DAVIPLATA') | undefined;
        bank?: string | undefined;
        redirectUrl?: string | undefined;
        phone?: string | undefined;
        externalReference?: string | undefined;
        expirationDate?: string | undefined;
      };
    };
    responses: {
      201: Schemas.Payin;
      400: Schemas.Problem & { status: 400; code: 'MALFORMED_JSON' };
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'USER_NOT_FOUND' };
      409: Schemas.Problem & { status: 409; code: 'IDEMPOTENCY_IN_PROGRESS' };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      415: Schemas.Problem & { status: 415; code: 'UNSUPPORTED_MEDIA_TYPE' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' | 'IDEMPOTENCY_KEY_REUSED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      502: Schemas.Problem & { status: 502; code: 'RAIL_REJECTED' };
      503: Schemas.Problem & { status: 503; code: 'RAIL_UNAVAILABLE' | 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      201: { 'X-Request-Id': string; 'Cache-Control': string; 'Idempotency-Replayed': 'true' };
      400: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      409: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      415: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      502: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_ListPayins = {
    method: 'GET';
    path: '/api/v1/admin/fiats/{user_id}/payin';
    requestFormat: 'json';
    parameters: {
      query: Partial<{ externalReference: string; limit: number; cursor: string }>;
      path: { user_id: string };
    };
    responses: {
      200: Schemas.ListPayinsAnswer;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'USER_NOT_FOUND' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_GetPayin = {
    method: 'GET';
    path: '/api/v1/admin/fiats/{user_id}/payin/{payin_id}';
    requestFormat: 'json';
    parameters: {
      path: { user_id: string; payin_id: string };
    };
    responses: {
      200: Schemas.PayinWithHistory;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'PAYIN_NOT_FOUND' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_ReceiveRailNotification = {
    method: 'POST';
    path: '/api/payment-rail/notifications';
    requestFormat: 'json';
    parameters: {
      body: Record<string, unknown>;
    };
    responses: {
      200: Schemas.ReceiveRailNotificationAnswer;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_CreateWithdrawal = {
    method: 'POST';
    path: '/api/v1/admin/operation/{user_id}/withdrawal';
    requestFormat: 'json';
    parameters: {
      path: { user_id: string };
      header: Partial<{ 'Idempotency-Key': string }>;
      body: {
        originExternalWalletId: string;
        supportedTokenId: number;
        amount: string | number;
        externalReference?: string | undefined;
      };
    };
    responses: {
      201: Schemas.CreateWithdrawalAnswer;
      400: Schemas.Problem & { status: 400; code: 'MALFORMED_JSON' };
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'USER_NOT_FOUND' | 'EXTERNAL_WALLET_NOT_FOUND' };
      409: Schemas.Problem & { status: 409; code: 'IDEMPOTENCY_IN_PROGRESS' };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      415: Schemas.Problem & { status: 415; code: 'UNSUPPORTED_MEDIA_TYPE' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' | 'IDEMPOTENCY_KEY_REUSED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      201: { 'X-Request-Id': string; 'Cache-Control': string; 'Idempotency-Replayed': 'true' };
      400: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      409: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      415: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_ListOperations = {
    method: 'GET';
    path: '/api/v1/admin/operation/{user_id}/withdrawal';
    requestFormat: 'json';
    parameters: {
      query: Partial<{
        status: 'AWAITING_DEPOSIT' | 'PENDING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
        externalReference: string;
        limit: number;
        cursor: string;
      }>;
      path: { user_id: string };
    };
    responses: {
      200: Schemas.ListOperationsAnswer;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'USER_NOT_FOUND' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_GetOperation = {
    method: 'GET';
    path: '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}';
    requestFormat: 'json';
    parameters: {
      path: { user_id: string; operation_id: string };
    };
    responses: {
      200: Schemas.GetOperationAnswer;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'OFF_RAMP_NOT_FOUND' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_CancelOperation = {
    method: 'POST';
    path: '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/cancel';
    requestFormat: 'json';
    parameters: {
      path: { user_id: string; operation_id: string };
    };
    responses: {
      200: Schemas.CancelOperationAnswer;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'OFF_RAMP_NOT_FOUND' };
      409: Schemas.Problem & { status: 409; code: 'OPERATION_NOT_AWAITING_DEPOSIT' | 'DEPOSIT_IN_PROGRESS' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      409: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_SubmitOfframpHash = {
    method: 'POST';
    path: '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash';
    requestFormat: 'json';
    parameters: {
      path: { user_id: string; operation_id: string };

      body: { txHash: string };
    };
    responses: {
      202: Schemas.SubmitOfframpHashAnswer;
      400: Schemas.Problem & { status: 400; code: 'MALFORMED_JSON' };
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'OFF_RAMP_NOT_FOUND' };
      409: Schemas.Problem & {
        status: 409;
        code: 'OPERATION_NOT_AWAITING_DEPOSIT' | 'TX_HASH_ALREADY_DECLARED' | 'TOO_MANY_ATTEMPTS';
      };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      415: Schemas.Problem & { status: 415; code: 'UNSUPPORTED_MEDIA_TYPE' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      202: { 'X-Request-Id': string; 'Cache-Control': string };
      400: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      409: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      415: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_GetOfframpHash = {
    method: 'GET';
    path: '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash';
    requestFormat: 'json';
    parameters: {
      path: { user_id: string; operation_id: string };
    };
    responses: {
      200: Schemas.HashStatus;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'OFF_RAMP_NOT_FOUND' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_ListWebhooks = {
    method: 'GET';
    path: '/api/webhooks/{clientId}';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string };
    };
    responses: {
      200: Schemas.ListWebhooksAnswer;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_RegisterWebhook = {
    method: 'POST';
    path: '/api/webhooks/{clientId}';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string };

      body: {
        url: string;
        process: 'ramp' | 'compliance' | 'wallet_transfer';
        method?: ('POST' | 'PUT') | undefined;
        userId?: string | undefined;
      };
    };
    responses: {
      201: Schemas.WebhookWithSecret;
      400: Schemas.Problem & { status: 400; code: 'MALFORMED_JSON' };
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'USER_NOT_FOUND' };
      409: Schemas.Problem & { status: 409; code: 'TOO_MANY_WEBHOOKS' };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      415: Schemas.Problem & { status: 415; code: 'UNSUPPORTED_MEDIA_TYPE' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      201: { 'X-Request-Id': string; 'Cache-Control': string };
      400: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      409: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      415: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type patch_UpdateWebhook = {
    method: 'PATCH';
    path: '/api/webhooks/{clientId}/{webhook_id}';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string; webhook_id: string };

      body: Partial<{ status: true; url: string; method: 'POST' | 'PUT' }>;
    };
    responses: {
      200: Schemas.Webhook;
      400: Schemas.Problem & { status: 400; code: 'MALFORMED_JSON' };
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'WEBHOOK_NOT_FOUND' };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      415: Schemas.Problem & { status: 415; code: 'UNSUPPORTED_MEDIA_TYPE' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      400: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      415: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type delete_DeactivateWebhook = {
    method: 'DELETE';
    path: '/api/webhooks/{clientId}/{webhook_id}';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string; webhook_id: string };
    };
    responses: {
      200: Schemas.Webhook;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'WEBHOOK_NOT_FOUND' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type delete_RemoveWebhook = {
    method: 'DELETE';
    path: '/api/webhooks/{clientId}/{webhook_id}/record';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string; webhook_id: string };
    };
    responses: {
      204: unknown;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'WEBHOOK_NOT_FOUND' };
      409: Schemas.Problem & { status: 409; code: 'WEBHOOK_ACTIVE' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      204: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      409: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_RotateWebhookSecret = {
    method: 'POST';
    path: '/api/webhooks/{clientId}/{webhook_id}/secret';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string; webhook_id: string };
    };
    responses: {
      200: Schemas.WebhookWithSecret;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'WEBHOOK_NOT_FOUND' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_TestWebhook = {
    method: 'POST';
    path: '/api/webhooks/{clientId}/{webhook_id}/test';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string; webhook_id: string };
    };
    responses: {
      200: Schemas.TestWebhookAnswer;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'WEBHOOK_NOT_FOUND' };
      409: Schemas.Problem & { status: 409; code: 'WEBHOOK_INACTIVE' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      409: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_ListDeliveries = {
    method: 'GET';
    path: '/api/webhooks/{clientId}/{webhook_id}/deliveries';
    requestFormat: 'json';
    parameters: {
      query: Partial<{ limit: number; cursor: string }>;
      path: { clientId: string; webhook_id: string };
    };
    responses: {
      200: Schemas.ListDeliveriesAnswer;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'WEBHOOK_NOT_FOUND' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_ResendDelivery = {
    method: 'POST';
    path: '/api/webhooks/{clientId}/{webhook_id}/deliveries/{delivery_id}/resend';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string; webhook_id: string; delivery_id: string };
      header: Partial<{ 'Idempotency-Key': string }>;
    };
    responses: {
      202: Schemas.Delivery;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'WEBHOOK_NOT_FOUND' | 'DELIVERY_NOT_FOUND' };
      409: Schemas.Problem & {
        status: 409;
        code: 'TOO_MANY_ATTEMPTS' | 'WEBHOOK_INACTIVE' | 'IDEMPOTENCY_IN_PROGRESS';
      };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' | 'IDEMPOTENCY_KEY_REUSED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      202: { 'X-Request-Id': string; 'Cache-Control': string; 'Idempotency-Replayed': 'true' };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      409: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_ReplayEvents = {
    method: 'POST';
    path: '/api/webhooks/{clientId}/{webhook_id}/replay';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string; webhook_id: string };

      body: { since: string };
    };
    responses: {
      202: Schemas.ReplayEventsAnswer;
      400: Schemas.Problem & { status: 400; code: 'MALFORMED_JSON' };
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'WEBHOOK_NOT_FOUND' };
      409: Schemas.Problem & { status: 409; code: 'WEBHOOK_INACTIVE' };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      415: Schemas.Problem & { status: 415; code: 'UNSUPPORTED_MEDIA_TYPE' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      202: { 'X-Request-Id': string; 'Cache-Control': string };
      400: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      409: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      415: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_ListBanks = {
    method: 'GET';
    path: '/api/parameters/banks';
    requestFormat: 'json';
    parameters: {
      header: Partial<{ 'If-None-Match': string }>;
    };
    responses: {
      200: Schemas.ListBanksAnswer;
      304: unknown;
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      304: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_ListBanksAsClient = {
    method: 'GET';
    path: '/api/v1/admin/banks';
    requestFormat: 'json';
    parameters: {
      header: Partial<{ 'If-None-Match': string }>;
    };
    responses: {
      200: Schemas.ListBanksAnswer;
      304: unknown;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      304: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_ListTokens = {
    method: 'GET';
    path: '/api/parameters/tokens';
    requestFormat: 'json';
    parameters: {
      header: Partial<{ 'If-None-Match': string }>;
    };
    responses: {
      200: Schemas.ListTokensAnswer;
      304: unknown;
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      304: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_GetOpenapi = {
    method: 'GET';
    path: '/api/openapi.json';
    requestFormat: 'json';
    parameters: {
      header: Partial<{ 'If-None-Match': string }>;
    };
    responses: {
      200: Schemas.GetOpenapiAnswer;
      304: unknown;
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      304: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_GetDocs = {
    method: 'GET';
    path: '/api/docs';
    requestFormat: 'json';
    parameters: never;
    responses: {
      200: unknown;
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_GetDocsAsset = {
    method: 'GET';
    path: '/api/docs/{asset}';
    requestFormat: 'json';
    parameters: {
      path: { asset: 'swagger-ui.css' | 'swagger-ui-bundle.js' | 'show-docs.js' };
      header: Partial<{ 'If-None-Match': string }>;
    };
    responses: {
      200: unknown;
      304: unknown;
      403: Schemas.Problem & { status: 403; code: 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'NOT_FOUND' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      304: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_ReceiveCustodianNotification = {
    method: 'POST';
    path: '/api/custodian/notifications';
    requestFormat: 'json';
    parameters: {
      body: Record<string, unknown>;
    };
    responses: {
      200: Schemas.ReceiveCustodianNotificationAnswer;
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_SimulateDeposit = {
    method: 'POST';
    path: '/api/sandbox/deposits';
    requestFormat: 'json';
    parameters: {
      body: {
        network:
          | 'ETHEREUM'
          | 'POLYGON'
          | 'BASE'
          | 'ARBITRUM'
          | 'OPTIMISM'
          | 'BSC'
          | 'AVALANCHE'
          | 'TRON'
          | 'STELLAR'
          | 'SOLANA'
          | 'SUI';
        txHash: string;
        fromAddress: string;
        toAddress: string;
        addressTag?: string | undefined;
        token: string;
        amount: string | number;
        state: 'UNCONFIRMED' | 'CONFIRMED' | 'FAILED' | 'HELD';
        confirmations?: number | undefined;
        notify?: boolean | undefined;
      };
    };
    responses: {
      202: Schemas.SimulateDepositAnswer;
      400: Schemas.Problem & { status: 400; code: 'MALFORMED_JSON' };
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      409: Schemas.Problem & { status: 409; code: 'SANDBOX_DEPOSIT_TAKEN' };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      415: Schemas.Problem & { status: 415; code: 'UNSUPPORTED_MEDIA_TYPE' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      202: { 'X-Request-Id': string; 'Cache-Control': string };
      400: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      409: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      415: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_SimulatePayin = {
    method: 'POST';
    path: '/api/sandbox/payins/{payin_id}';
    requestFormat: 'json';
    parameters: {
      path: { payin_id: string };

      body: { status: 'COMPLETED' | 'FAILED' | 'EXPIRED' };
    };
    responses: {
      202: Schemas.SimulatePayinAnswer;
      400: Schemas.Problem & { status: 400; code: 'MALFORMED_JSON' };
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'PAYIN_NOT_FOUND' };
      409: Schemas.Problem & { status: 409; code: 'PAYIN_STATUS_CONFLICT' };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      415: Schemas.Problem & { status: 415; code: 'UNSUPPORTED_MEDIA_TYPE' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      202: { 'X-Request-Id': string; 'Cache-Control': string };
      400: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      409: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      415: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type post_SimulateOperation = {
    method: 'POST';
    path: '/api/sandbox/operations/{operation_id}';
    requestFormat: 'json';
    parameters: {
      path: { operation_id: string };

      body: { status: 'COMPLETED' | 'CANCELLED' | 'FAILED'; reason?: string | undefined };
    };
    responses: {
      202: Schemas.SimulateOperationAnswer;
      400: Schemas.Problem & { status: 400; code: 'MALFORMED_JSON' };
      401: Schemas.Problem & { status: 401; code: 'UNAUTHORIZED' };
      403: Schemas.Problem & { status: 403; code: 'CLIENT_NOT_APPROVED' | 'FORBIDDEN' };
      404: Schemas.Problem & { status: 404; code: 'OFF_RAMP_NOT_FOUND' };
      409: Schemas.Problem & { status: 409; code: 'OPERATION_STATUS_CONFLICT' };
      413: Schemas.Problem & { status: 413; code: 'PAYLOAD_TOO_LARGE' };
      415: Schemas.Problem & { status: 415; code: 'UNSUPPORTED_MEDIA_TYPE' };
      422: Schemas.Problem & { status: 422; code: 'VALIDATION_FAILED' };
      429: Schemas.Problem & { status: 429; code: 'TOO_MANY_REQUESTS' };
      500: Schemas.Problem & { status: 500; code: 'INTERNAL_ERROR' };
      503: Schemas.Problem & { status: 503; code: 'SERVICE_UNAVAILABLE' };
    };
    responseHeaders: {
      202: { 'X-Request-Id': string; 'Cache-Control': string };
      400: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      404: { 'X-Request-Id': string; 'Cache-Control': string };
      409: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      413: { 'X-Request-Id': string; 'Cache-Control': string };
      415: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };

  // </Endpoints>
}

// <EndpointByMethod>
export type EndpointByMethod = {
  post: {
    '/api/v1/client/token': Endpoints.post_IssueToken;
    '/api/token': Endpoints.post_IssueTokenAlias;
    '/api/v1/admin/fiats/{user_id}/payin': Endpoints.post_CreatePayin;
    '/api/payment-rail/notifications': Endpoints.post_ReceiveRailNotification;
    '/api/v1/admin/operation/{user_id}/withdrawal': Endpoints.post_CreateWithdrawal;
    '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/cancel': Endpoints.post_CancelOperation;
    '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash': Endpoints.post_SubmitOfframpHash;
    '/api/webhooks/{clientId}': Endpoints.post_RegisterWebhook;
    '/api/webhooks/{clientId}/{webhook_id}/secret': Endpoints.post_RotateWebhookSecret;
    '/api/webhooks/{clientId}/{webhook_id}/test': Endpoints.post_TestWebhook;
    '/api/webhooks/{clientId}/{webhook_id}/deliveries/{delivery_id}/resend': Endpoints.post_ResendDelivery;
    '/api/webhooks/{clientId}/{webhook_id}/replay': Endpoints.post_ReplayEvents;
    '/api/custodian/notifications': Endpoints.post_ReceiveCustodianNotification;
    '/api/sandbox/deposits': Endpoints.post_SimulateDeposit;
    '/api/sandbox/payins/{payin_id}': Endpoints.post_SimulatePayin;
    '/api/sandbox/operations/{operation_id}': Endpoints.post_SimulateOperation;
  };
  get: {
    '/api/infoClient': Endpoints.get_GetClientInfo;
    '/api/v1/admin/fiats/{user_id}/payin': Endpoints.get_ListPayins;
    '/api/v1/admin/fiats/{user_id}/payin/{payin_id}': Endpoints.get_GetPayin;
    '/api/v1/admin/operation/{user_id}/withdrawal': Endpoints.get_ListOperations;
    '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}': Endpoints.get_GetOperation;
    '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash': Endpoints.get_GetOfframpHash;
    '/api/webhooks/{clientId}': Endpoints.get_ListWebhooks;
    '/api/webhooks/{clientId}/{webhook_id}/deliveries': Endpoints.get_ListDeliveries;
    '/api/parameters/banks': Endpoints.get_ListBanks;
    '/api/v1/admin/banks': Endpoints.get_ListBanksAsClient;
    '/api/parameters/tokens': Endpoints.get_ListTokens;
    '/api/openapi.json': Endpoints.get_GetOpenapi;
    '/api/docs': Endpoints.get_GetDocs;
    '/api/docs/{asset}': Endpoints.get_GetDocsAsset;
  };
  patch: {
    '/api/webhooks/{clientId}/{webhook_id}': Endpoints.patch_UpdateWebhook;
  };
  delete: {
    '/api/webhooks/{clientId}/{webhook_id}': Endpoints.delete_DeactivateWebhook;
    '/api/webhooks/{clientId}/{webhook_id}/record': Endpoints.delete_RemoveWebhook;
  };
};

// </EndpointByMethod>

// <EndpointByMethod.Shorthands>
export type PostEndpoints = EndpointByMethod['post'];
export type GetEndpoints = EndpointByMethod['get'];
export type PatchEndpoints = EndpointByMethod['patch'];
export type DeleteEndpoints = EndpointByMethod['delete'];
// </EndpointByMethod.Shorthands>

export const routes = {
  'POST /api/v1/client/token': { needsToken: false, repeatable: 'always' },
  'POST /api/token': { needsToken: false, repeatable: 'always' },
  'GET /api/infoClient': { needsToken: true, repeatable: 'always' },
  'POST /api/v1/admin/fiats/{user_id}/payin': { needsToken: true, repeatable: 'under its key' },
  'GET /api/v1/admin/fiats/{user_id}/payin': { needsToken: true, repeatable: 'always' },
  'GET /api/v1/admin/fiats/{user_id}/payin/{payin_id}': { needsToken: true, repeatable: 'always' },
  'POST /api/payment-rail/notifications': { needsToken: false, repeatable: 'never' },
  'POST /api/v1/admin/operation/{user_id}/withdrawal': { needsToken: true, repeatable: 'under its key' },
  'GET /api/v1/admin/operation/{user_id}/withdrawal': { needsToken: true, repeatable: 'always' },
  'GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}': { needsToken: true, repeatable: 'always' },
  'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/cancel': { needsToken: true, repeatable: 'never' },
  'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash': { needsToken: true, repeatable: 'always' },
  'GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash': { needsToken: true, repeatable: 'always' },
  'GET /api/webhooks/{clientId}': { needsToken: true, repeatable: 'always' },
  'POST /api/webhooks/{clientId}': { needsToken: true, repeatable: 'never' },
  'PATCH /api/webhooks/{clientId}/{webhook_id}': { needsToken: true, repeatable: 'never' },
  'DELETE /api/webhooks/{clientId}/{webhook_id}': { needsToken: true, repeatable: 'always' },
  'DELETE /api/webhooks/{clientId}/{webhook_id}/record': { needsToken: true, repeatable: 'always' },
  'POST /api/webhooks/{clientId}/{webhook_id}/secret': { needsToken: true, repeatable: 'never' },
  'POST /api/webhooks/{clientId}/{webhook_id}/test': { needsToken: true, repeatable: 'never' },
  'GET /api/webhooks/{clientId}/{webhook_id}/deliveries': { needsToken: true, repeatable: 'always' },
  'POST /api/webhooks/{clientId}/{webhook_id}/deliveries/{delivery_id}/resend': {
    needsToken: true,
    repeatable: 'under its key',
  },
  'POST /api/webhooks/{clientId}/{webhook_id}/replay': { needsToken: true, repeatable: 'never' },
  'GET /api/parameters/banks': { needsToken: false, repeatable: 'always' },
  'GET /api/v1/admin/banks': { needsToken: true, repeatable: 'always' },
  'GET /api/parameters/tokens': { needsToken: false, repeatable: 'always' },
  'GET /api/openapi.json': { needsToken: false, repeatable: 'always' },
  'GET /api/docs': { needsToken: false, repeatable: 'always' },
  'GET /api/docs/{asset}': { needsToken: false, repeatable: 'always' },
  'POST /api/custodian/notifications': { needsToken: false, repeatable: 'never' },
  'POST /api/sandbox/deposits': { needsToken: true, repeatable: 'always' },
  'POST /api/sandbox/payins/{payin_id}': { needsToken: true, repeatable: 'never' },
  'POST /api/sandbox/operations/{operation_id}': { needsToken: true, repeatable: 'never' },
} as const;
