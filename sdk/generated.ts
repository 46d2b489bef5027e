// Written by npm run openapi, from openapi.json. Do not edit.

export namespace Schemas {
  // <Schemas>
  export type AccessToken = { access_token: string; token_type: 'Bearer'; expires_in: number };
  export type Bank = { id: string; code: string; name: string; status: 'true' };
  export type CallError = 'DNS' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'BLOCKED';
  export type CheckedFact = 'ADDRESS' | 'TOKEN' | 'AMOUNT' | 'SENDER' | 'CONFIRMATIONS';
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
    pep: boolean | null;
    registerDate: string;
    contactsData: Array<Contact>;
  };
  export type ClientProfile = {
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
  export type ClientStatusChangedEventData = {
    clientId: string;
    status: string;
    previousStatus: string | null;
    sequence: number;
  };
  export type ClientStatusChangedEvent = {
    type: 'compliance.client.status_changed';
    timestamp: string;
    data: ClientStatusChangedEventData;
  };
  export type PaymentMethod = 'PSE' | 'NEQUI' | 'DAVIPLATA';
  export type CreatePayinRequest = {
    amount: number;
    currency: 'COP';
    paymentMethod?: PaymentMethod | undefined;
    bank?: string | undefined;
    redirectUrl?: string | undefined;
    phone?: string | undefined;
    externalReference?: string | undefined;
    expirationDate?: string | undefined;
  };
  export type CreateWithdrawalRequest = {
    originExternalWalletId: string;
    supportedTokenId: number;
    amount: string;
    externalReference?: string | undefined;
  };
  export type DeactivationReason = 'ENDPOINT_GONE' | 'ENDPOINT_FAILING' | 'BY_OPERATOR';
  export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED';
  export type UndeliveredReason = 'EXHAUSTED' | 'ENDPOINT_GONE' | 'BLOCKED' | 'INTERNAL' | 'WEBHOOK_INACTIVE';
  export type DeliveryTrigger = 'SCHEDULED' | 'MANUAL' | 'REPLAY';
  export type DeliveryAttempt = {
    at: string;
    trigger: DeliveryTrigger;
    statusCode?: number | undefined;
    error?: CallError | undefined;
    durationMs: number;
  };
  export type Delivery = {
    id: string;
    eventId: string;
    type: string;
    status: DeliveryStatus;
    reason?: UndeliveredReason | undefined;
    createdAt: string;
    nextAttemptAt?: string | undefined;
    attempts: Array<DeliveryAttempt>;
  };
  export type DeliveryPage = { deliveries: Array<Delivery>; nextCursor?: string | undefined };
  export type DeliveryWithBody = {
    id: string;
    eventId: string;
    type: string;
    status: DeliveryStatus;
    reason?: UndeliveredReason | undefined;
    createdAt: string;
    nextAttemptAt?: string | undefined;
    attempts: Array<DeliveryAttempt>;
    body: string;
  };
  export type DepositStatus =
    | 'DETECTED'
    | 'HELD'
    | 'CREDITED'
    | 'UNMATCHED'
    | 'FAILED'
    | 'REVERSED'
    | 'RETURN_REQUESTED'
    | 'RETURNED';
  export type DepositReason =
    | 'WRONG_TOKEN'
    | 'WRONG_AMOUNT'
    | 'WRONG_SENDER'
    | 'ALREADY_FUNDED'
    | 'OPERATION_ENDED'
    | 'FUNDS_ANOTHER_OPERATION';
  export type Network =
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
  export type DepositReturn = {
    amount: string;
    fee: string;
    address: string;
    tag?: string | undefined;
    requestedAt: string;
    sendingAt?: string | undefined;
    txHash?: string | undefined;
  };
  export type Deposit = {
    id: string;
    status: DepositStatus;
    reasons?: Array<DepositReason> | undefined;
    returnable: boolean;
    network: Network;
    txHash: string;
    token: string;
    amount: string;
    fromAddress: string;
    toAddress: string;
    addressTag?: string | undefined;
    confirmations?: number | undefined;
    requiredConfirmations?: number | undefined;
    detectedAt: string;
    updatedAt: string;
    sequence: number;
    return?: DepositReturn | undefined;
  };
  export type HashStatus = 'NOT_SUBMITTED' | 'VERIFYING' | 'VERIFIED' | 'NOT_VERIFIED';
  export type DepositHashStatusChangedEventData = {
    operationId: string;
    userId: string;
    status: HashStatus;
    previousStatus: HashStatus;
    sequence: number;
    txHash?: string | undefined;
    verifiedTxHash?: string | undefined;
  };
  export type DepositHashStatusChangedEvent = {
    type: 'ramp.deposit_hash.status_changed';
    timestamp: string;
    data: DepositHashStatusChangedEventData;
  };
  export type VerificationReason =
    | 'NOT_FOUND'
    | 'UNCONFIRMED'
    | 'WRONG_ADDRESS'
    | 'WRONG_TOKEN'
    | 'WRONG_AMOUNT'
    | 'WRONG_SENDER'
    | 'FAILED_ON_CHAIN'
    | 'HELD_BY_CUSTODIAN'
    | 'FUNDS_ANOTHER_OPERATION'
    | 'CUSTODIAN_UNAVAILABLE';
  export type DepositHashWindowEndedEventData = {
    operationId: string;
    userId: string;
    attempt: number;
    txHash: string;
    reason: VerificationReason;
    windowEndsAt: string;
    status: 'VERIFYING';
    previousStatus: 'VERIFYING';
    sequence: number;
  };
  export type DepositHashWindowEndedEvent = {
    type: 'ramp.deposit_hash.window_ended';
    timestamp: string;
    data: DepositHashWindowEndedEventData;
  };
  export type DepositList = { deposits: Array<Deposit>; nextCursor?: string | undefined };
  export type DepositResult = { deposit: Deposit };
  export type DepositStatusChangedEventData = {
    depositId: string;
    operationId: string;
    userId: string;
    txHash: string;
    status: DepositStatus;
    previousStatus:
      | ('DETECTED' | 'HELD' | 'CREDITED' | 'UNMATCHED' | 'FAILED' | 'REVERSED' | 'RETURN_REQUESTED' | 'RETURNED')
      | null;
    reasons?: Array<DepositReason> | undefined;
    sequence: number;
  };
  export type DepositStatusChangedEvent = {
    type: 'ramp.deposit.status_changed';
    timestamp: string;
    data: DepositStatusChangedEventData;
  };
  export type PollOutcome = 'DEPOSIT_VERIFIED' | 'LOOK_AGAIN' | 'WINDOW_ENDED' | 'SUPERSEDED';
  export type EarlierAttempt = {
    attempt: number;
    txHash: string;
    outcome: PollOutcome;
    reason?: VerificationReason | undefined;
    lastCheckedAt?: string | undefined;
  };
  export type Event = { id: string; type: string; timestamp: string; data: Record<string, unknown> };
  export type EventPage = { events: Array<Event>; nextCursor: string; hasMore: boolean; upTo: string };
  export type FieldError = { path: string; code: string; message: string };
  export type HashPoll = {
    at: string;
    outcome: PollOutcome;
    reason?: VerificationReason | undefined;
    nextCheckAt?: string | undefined;
  };
  export type HashPolls = { polls: Array<HashPoll>; earlierAttempts: Array<EarlierAttempt> };
  export type NotReturnableReason =
    | 'STATUS'
    | 'SETTLED'
    | 'HELD'
    | 'NOTHING_LEFT'
    | 'SENDER_UNKNOWN'
    | 'NOT_SERVED'
    | 'OTHER_ADDRESS';
  export type OauthErrorCode =
    | 'invalid_client'
    | 'invalid_request'
    | 'unsupported_grant_type'
    | 'temporarily_unavailable';
  export type OperationStatus = 'AWAITING_DEPOSIT' | 'PENDING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
  export type VerificationSource = 'REPORTED' | 'DETECTED';
  export type VerificationState = 'ACTIVE' | 'WINDOW_ENDED';
  export type VerificationCheck = {
    check: CheckedFact;
    passed: boolean;
    expected: string;
    observed?: string | undefined;
  };
  export type Verification = {
    source: VerificationSource;
    state?: VerificationState | undefined;
    attempt?: number | undefined;
    reason?: VerificationReason | undefined;
    confirmations?: number | undefined;
    requiredConfirmations?: number | undefined;
    lastCheckedAt?: string | undefined;
    nextCheckAt?: string | undefined;
    windowEndsAt?: string | undefined;
    checks?: Array<VerificationCheck> | undefined;
  };
  export type OffRampHash = {
    operationId: string;
    operationStatus: OperationStatus;
    txHash: string | null;
    verifiedTxHash: string | null;
    status: HashStatus;
    verification?: Verification | undefined;
  };
  export type OpenApiDocument = { openapi: string } & Record<string, any>;
  export type Payout = Partial<{ amount: string; currency: string; reference: string; paidAt: string }>;
  export type Operation = {
    id: string;
    userId: string;
    status: OperationStatus;
    network: Network;
    token: string;
    address: string;
    addressTag?: string | undefined;
    amount: string;
    expiresAt: string;
    endsAt: string;
    originExternalWalletId: string;
    externalReference?: string | undefined;
    createdAt: string;
    payout?: Payout | undefined;
    sequence: number;
  };
  export type OperationEndStatus = 'COMPLETED' | 'CANCELLED' | 'FAILED';
  export type OperationPage = { operations: Array<Operation>; nextCursor?: string | undefined };
  export type OperationResult = { operation: Operation };
  export type OperationStatusChange = { status: OperationStatus; at: string; reason?: string | undefined };
  export type OperationStatusChangedEventData = {
    operationId: string;
    userId: string;
    status: OperationStatus;
    previousStatus: ('AWAITING_DEPOSIT' | 'PENDING' | 'COMPLETED' | 'CANCELLED' | 'FAILED') | null;
    payout?: Payout | undefined;
    sequence: number;
  };
  export type OperationStatusChangedEvent = {
    type: 'ramp.operation.status_changed';
    timestamp: string;
    data: OperationStatusChangedEventData;
  };
  export type OperationWithHistory = {
    id: string;
    userId: string;
    status: OperationStatus;
    network: Network;
    token: string;
    address: string;
    addressTag?: string | undefined;
    amount: string;
    expiresAt: string;
    endsAt: string;
    originExternalWalletId: string;
    externalReference?: string | undefined;
    createdAt: string;
    payout?: Payout | undefined;
    sequence: number;
    statusHistory: Array<OperationStatusChange>;
  };
  export type OperationWithHistoryResult = { operation: OperationWithHistory };
  export type Payer = Partial<{
    fullName: string;
    email: string;
    documentType: string;
    documentNumber: string;
    personType: string;
    acceptedTermsAt: string;
    phone: string;
  }>;
  export type PayinStatus = 'CASHININIT' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
  export type Payin = {
    id: string;
    status: PayinStatus;
    currency: string;
    amount: number;
    paymentMethod: PaymentMethod;
    paymentUrl?: string | undefined;
    externalReference?: string | undefined;
    pseLink?: string | undefined;
  };
  export type PayinEndStatus = 'COMPLETED' | 'FAILED' | 'EXPIRED';
  export type PayinStatusChange = { status: PayinStatus; at: string };
  export type PayinWithHistory = {
    id: string;
    status: PayinStatus;
    currency: string;
    amount: number;
    paymentMethod: PaymentMethod;
    paymentUrl?: string | undefined;
    externalReference?: string | undefined;
    pseLink?: string | undefined;
    userId: string;
    createdAt: string;
    sequence: number;
    reversedAt?: string | undefined;
    remainingAmount?: number | undefined;
    failureReason?: string | undefined;
    statusHistory: Array<PayinStatusChange>;
  };
  export type PayinPage = { payins: Array<PayinWithHistory>; nextCursor?: string | undefined };
  export type PayinReversedEventData = {
    payinId: string;
    userId: string;
    status: 'COMPLETED';
    previousStatus: 'COMPLETED';
    sequence: number;
    reversedAt: string | null;
    remainingAmount: number;
  };
  export type PayinReversedEvent = { type: 'ramp.payin.reversed'; timestamp: string; data: PayinReversedEventData };
  export type PayinStatusChangedEventData = {
    payinId: string;
    userId: string;
    status: PayinStatus;
    previousStatus: ('CASHININIT' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED') | null;
    sequence: number;
  };
  export type PayinStatusChangedEvent = {
    type: 'ramp.payin.status_changed';
    timestamp: string;
    data: PayinStatusChangedEventData;
  };
  export type ProblemCode =
    | 'BAD_REQUEST'
    | 'MALFORMED_JSON'
    | 'INVALID_REQUEST'
    | 'UNSUPPORTED_GRANT_TYPE'
    | 'UNAUTHORIZED'
    | 'INVALID_CLIENT'
    | 'CLIENT_NOT_APPROVED'
    | 'FORBIDDEN'
    | 'USER_NOT_FOUND'
    | 'EXTERNAL_WALLET_NOT_FOUND'
    | 'OFF_RAMP_NOT_FOUND'
    | 'DEPOSIT_NOT_FOUND'
    | 'PAYIN_NOT_FOUND'
    | 'WEBHOOK_NOT_FOUND'
    | 'DELIVERY_NOT_FOUND'
    | 'EVENT_NOT_FOUND'
    | 'NOT_FOUND'
    | 'USER_ERASED'
    | 'OPERATION_NOT_AWAITING_DEPOSIT'
    | 'OPERATION_STATUS_CONFLICT'
    | 'TX_HASH_ALREADY_DECLARED'
    | 'DEPOSIT_IN_PROGRESS'
    | 'TOO_MANY_ATTEMPTS'
    | 'DEPOSIT_NOT_RETURNABLE'
    | 'SANDBOX_DEPOSIT_TAKEN'
    | 'PAYIN_STATUS_CONFLICT'
    | 'WEBHOOK_INACTIVE'
    | 'WEBHOOK_ACTIVE'
    | 'TOO_MANY_WEBHOOKS'
    | 'IDEMPOTENCY_IN_PROGRESS'
    | 'CONCURRENT_CHANGE'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'CURSOR_EXPIRED'
    | 'VALIDATION_FAILED'
    | 'IDEMPOTENCY_KEY_REUSED'
    | 'TOO_MANY_REQUESTS'
    | 'DAILY_LIMIT_REACHED'
    | 'INTERNAL_ERROR'
    | 'RAIL_REJECTED'
    | 'RAIL_UNAVAILABLE'
    | 'SERVICE_UNAVAILABLE';
  export type Problem = {
    type: string;
    title: string;
    status: number;
    code: ProblemCode;
    detail: string;
    requestId: string;
    payinId?: string | undefined;
    oldestCursor?: string | undefined;
    reasons?: Array<NotReturnableReason> | undefined;
    error?: OauthErrorCode | undefined;
    error_description?: string | undefined;
    errors?: Array<FieldError> | undefined;
  };
  export type WebhookProcess = 'ramp' | 'compliance' | 'wallet_transfer';
  export type WebhookMethod = 'POST' | 'PUT';
  export type RegisterWebhookRequest = {
    url: string;
    process: WebhookProcess;
    method?: WebhookMethod | undefined;
    userId?: string | undefined;
  };
  export type Replay = { since: string };
  export type ReplayRequest = { since: string };
  export type ReturnDepositRequest = Partial<{ confirmAddress: string; tag: string }>;
  export type SimulateClientRequest = Partial<{ complianceStatus: string; status: string }>;
  export type SimulatedDepositState = 'UNCONFIRMED' | 'CONFIRMED' | 'FAILED' | 'HELD';
  export type SimulateDepositRequest = {
    network: Network;
    txHash: string;
    fromAddress: string;
    toAddress: string;
    addressTag?: string | undefined;
    token: string;
    amount: string;
    state: SimulatedDepositState;
    confirmations?: number | undefined;
    transfer?: number | undefined;
    unavailable?: boolean | undefined;
    notify?: boolean | undefined;
  };
  export type SimulateOperationRequest = Partial<{
    status: OperationEndStatus;
    reason: string;
    expire: boolean;
    hold: boolean;
    payoutReturned: boolean;
  }>;
  export type SimulatePayinRequest = Partial<{ status: PayinEndStatus; paidAmount: number; reversed: boolean }>;
  export type SimulatedReturnOutcome = 'COMPLETED' | 'FAILED' | 'TIMEOUT' | 'DECLINED';
  export type SimulateReturnRequest = { outcome: SimulatedReturnOutcome };
  export type SimulatedClient = { id: string; complianceStatus?: string | undefined; status?: string | undefined };
  export type SimulatedDeposit = {
    custodianTransferId: string;
    network: Network;
    txHash: string;
    state: SimulatedDepositState;
    confirmations: number;
  };
  export type SimulatedOperation = { id: string; status: OperationStatus; expiresAt?: string | undefined };
  export type SimulatedPayin = { id: string; status: PayinEndStatus; reversed?: boolean | undefined };
  export type SimulatedReturn = { id: string; outcome: SimulatedReturnOutcome };
  export type SubmitHashRequest = { txHash: string };
  export type SubmittedHash = { operationId: string; txHash: string; status: 'VERIFYING' };
  export type TokenOnNetwork = { network: Network; decimals: number; minimum: string; maximum: string };
  export type Token = {
    id: number;
    token: string;
    status: boolean;
    registerDate?: string | undefined;
    logo_base64?: string | undefined;
    networks: Array<TokenOnNetwork>;
  };
  export type TokenRequest = Partial<{ client_id: string; client_secret: string; grant_type: 'client_credentials' }>;
  export type UpdateWebhookRequest = Partial<{ status: boolean; url: string; method: WebhookMethod }>;
  export type User = { id: string; payer: Payer };
  export type UserPage = { users: Array<User>; nextCursor?: string | undefined };
  export type Wallet = { id: string; network: Network; address: string };
  export type WalletPage = { wallets: Array<Wallet>; nextCursor?: string | undefined };
  export type Webhook = {
    id: string;
    method: WebhookMethod;
    process: WebhookProcess;
    status: boolean;
    statusReason?: DeactivationReason | undefined;
    deactivatedAt?: string | undefined;
    parkedUntil?: string | undefined;
    deliveriesPausedAt?: string | undefined;
    url: string;
    userId: string;
  };
  export type WebhookTestEventData = { webhookId: string };
  export type WebhookTestEvent = { type: 'webhook.test'; timestamp: string; data: WebhookTestEventData };
  export type WebhookTestResult = {
    delivered: boolean;
    statusCode?: number | undefined;
    error?: CallError | undefined;
    durationMs: number;
  };
  export type WebhookWithSecret = {
    id: string;
    method: WebhookMethod;
    process: WebhookProcess;
    status: boolean;
    statusReason?: DeactivationReason | undefined;
    deactivatedAt?: string | undefined;
    parkedUntil?: string | undefined;
    deliveriesPausedAt?: string | undefined;
    url: string;
    userId: string;
    secret: string;
  };

  // </Schemas>
}

export namespace Endpoints {
  // <Endpoints>

  export type post_IssueToken = {
    method: 'POST';
    path: '/api/v1/client/token';
    requestFormat: 'json';
    parameters: {
      body: Schemas.TokenRequest;
    };
    responses: {
      200: Schemas.AccessToken;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      429: Schemas.Problem | Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
    requestFormat: 'form-url';
    parameters: {
      body: Schemas.TokenRequest;
    };
    responses: {
      200: Schemas.AccessToken;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      429: Schemas.Problem | Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
      200: Schemas.ClientProfile;
      401: Schemas.Problem;
      403: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type get_ListUsers = {
    method: 'GET';
    path: '/api/v1/admin/users';
    requestFormat: 'json';
    parameters: {
      query: Partial<{ limit: number; cursor: string }>;
    };
    responses: {
      200: Schemas.UserPage;
      401: Schemas.Problem;
      403: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_ListWallets = {
    method: 'GET';
    path: '/api/v1/admin/users/{user_id}/wallets';
    requestFormat: 'json';
    parameters: {
      query: Partial<{ limit: number; cursor: string }>;
      path: { user_id: string };
    };
    responses: {
      200: Schemas.WalletPage;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type post_CreatePayin = {
    method: 'POST';
    path: '/api/v1/admin/fiats/{user_id}/payin';
    requestFormat: 'json';
    parameters: {
      path: { user_id: string };
      header: Partial<{ 'Idempotency-Key': string }>;
      body: Schemas.CreatePayinRequest;
    };
    responses: {
      201: Schemas.Payin;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      502: Schemas.Problem;
      503: Schemas.Problem;
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
      200: Schemas.PayinPage;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type get_ListClientPayins = {
    method: 'GET';
    path: '/api/v1/admin/payins';
    requestFormat: 'json';
    parameters: {
      query: Partial<{
        status: 'CASHININIT' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
        externalReference: string;
        limit: number;
        cursor: string;
      }>;
    };
    responses: {
      200: Schemas.PayinPage;
      401: Schemas.Problem;
      403: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
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
      body: Schemas.CreateWithdrawalRequest;
    };
    responses: {
      201: Schemas.OperationResult;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
      200: Schemas.OperationPage;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
      200: Schemas.OperationWithHistoryResult;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type get_ListClientOperations = {
    method: 'GET';
    path: '/api/v1/admin/withdrawals';
    requestFormat: 'json';
    parameters: {
      query: Partial<{
        status: 'AWAITING_DEPOSIT' | 'PENDING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
        externalReference: string;
        limit: number;
        cursor: string;
      }>;
    };
    responses: {
      200: Schemas.OperationPage;
      401: Schemas.Problem;
      403: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
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
      200: Schemas.OperationWithHistoryResult;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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

      body: Schemas.SubmitHashRequest;
    };
    responses: {
      202: Schemas.SubmittedHash;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
      200: Schemas.OffRampHash;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type get_ListHashPolls = {
    method: 'GET';
    path: '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash/polls';
    requestFormat: 'json';
    parameters: {
      path: { user_id: string; operation_id: string };
    };
    responses: {
      200: Schemas.HashPolls;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type get_ListDeposits = {
    method: 'GET';
    path: '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits';
    requestFormat: 'json';
    parameters: {
      query: Partial<{ cursor: string }>;
      path: { user_id: string; operation_id: string };
    };
    responses: {
      200: Schemas.DepositList;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type post_ReturnDeposit = {
    method: 'POST';
    path: '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits/{deposit_id}/return';
    requestFormat: 'json';
    parameters: {
      path: { user_id: string; operation_id: string; deposit_id: string };
      header: Partial<{ 'Idempotency-Key': string }>;
      body: Schemas.ReturnDepositRequest;
    };
    responses: {
      202: Schemas.DepositResult;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      202: { 'X-Request-Id': string; 'Cache-Control': string; 'Idempotency-Replayed': 'true' };
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
  export type get_ListEvents = {
    method: 'GET';
    path: '/api/v1/events';
    requestFormat: 'json';
    parameters: {
      query: Partial<{ after: string; limit: number; type: string }>;
    };
    responses: {
      200: Schemas.EventPage;
      401: Schemas.Problem;
      403: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
      429: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
      500: { 'X-Request-Id': string; 'Cache-Control': string };
      503: { 'X-Request-Id': string; 'Cache-Control': string; 'Retry-After': number };
    };
  };
  export type get_GetEvent = {
    method: 'GET';
    path: '/api/v1/events/{event_id}';
    requestFormat: 'json';
    parameters: {
      path: { event_id: string };
    };
    responses: {
      200: Schemas.Event;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type get_ListWebhooks = {
    method: 'GET';
    path: '/api/webhooks/{clientId}';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string };
    };
    responses: {
      200: Array<Schemas.Webhook>;
      401: Schemas.Problem;
      403: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
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

      body: Schemas.RegisterWebhookRequest;
    };
    responses: {
      201: Schemas.WebhookWithSecret;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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

      body: Schemas.UpdateWebhookRequest;
    };
    responses: {
      200: Schemas.Webhook;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string };
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
  export type delete_DeactivateWebhook = {
    method: 'DELETE';
    path: '/api/webhooks/{clientId}/{webhook_id}';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string; webhook_id: string };
    };
    responses: {
      200: Schemas.Webhook;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type delete_RemoveWebhook = {
    method: 'DELETE';
    path: '/api/webhooks/{clientId}/{webhook_id}/record';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string; webhook_id: string };
    };
    responses: {
      204: unknown;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type post_TestWebhook = {
    method: 'POST';
    path: '/api/webhooks/{clientId}/{webhook_id}/test';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string; webhook_id: string };
    };
    responses: {
      200: Schemas.WebhookTestResult;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
      200: Schemas.DeliveryPage;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type get_GetDelivery = {
    method: 'GET';
    path: '/api/webhooks/{clientId}/{webhook_id}/deliveries/{delivery_id}';
    requestFormat: 'json';
    parameters: {
      path: { clientId: string; webhook_id: string; delivery_id: string };
    };
    responses: {
      200: Schemas.DeliveryWithBody;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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

      body: Schemas.ReplayRequest;
    };
    responses: {
      202: Schemas.Replay;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
      200: Array<Schemas.Bank>;
      304: unknown;
      403: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      304: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
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
      200: Array<Schemas.Bank>;
      304: unknown;
      401: Schemas.Problem;
      403: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      304: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
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
      200: Array<Schemas.Token>;
      304: unknown;
      403: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      304: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
      422: { 'X-Request-Id': string; 'Cache-Control': string };
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
      query: Partial<{ without: 'webhooks' }>;

      header: Partial<{ 'If-None-Match': string }>;
    };
    responses: {
      200: Schemas.OpenApiDocument;
      304: unknown;
      403: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      200: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      304: { 'X-Request-Id': string; 'Cache-Control': string; ETag: string };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
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
      body: Schemas.SimulateDepositRequest;
    };
    responses: {
      202: Schemas.SimulatedDeposit;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      409: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type post_SimulateReturn = {
    method: 'POST';
    path: '/api/sandbox/deposits/{deposit_id}/return';
    requestFormat: 'json';
    parameters: {
      path: { deposit_id: string };

      body: Schemas.SimulateReturnRequest;
    };
    responses: {
      202: Schemas.SimulatedReturn;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      202: { 'X-Request-Id': string; 'Cache-Control': string };
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
  export type post_SimulateOperation = {
    method: 'POST';
    path: '/api/sandbox/operations/{operation_id}';
    requestFormat: 'json';
    parameters: {
      path: { operation_id: string };

      body: Schemas.SimulateOperationRequest;
    };
    responses: {
      202: Schemas.SimulatedOperation;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type post_SimulatePayin = {
    method: 'POST';
    path: '/api/sandbox/payins/{payin_id}';
    requestFormat: 'json';
    parameters: {
      path: { payin_id: string };

      body: Schemas.SimulatePayinRequest;
    };
    responses: {
      202: Schemas.SimulatedPayin;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      404: Schemas.Problem;
      409: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
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
  export type post_SimulateClient = {
    method: 'POST';
    path: '/api/sandbox/client';
    requestFormat: 'json';
    parameters: {
      body: Schemas.SimulateClientRequest;
    };
    responses: {
      202: Schemas.SimulatedClient;
      400: Schemas.Problem;
      401: Schemas.Problem;
      403: Schemas.Problem;
      413: Schemas.Problem;
      415: Schemas.Problem;
      422: Schemas.Problem;
      429: Schemas.Problem;
      500: Schemas.Problem;
      503: Schemas.Problem;
    };
    responseHeaders: {
      202: { 'X-Request-Id': string; 'Cache-Control': string };
      400: { 'X-Request-Id': string; 'Cache-Control': string };
      401: { 'X-Request-Id': string; 'Cache-Control': string; 'WWW-Authenticate': 'Bearer' };
      403: { 'X-Request-Id': string; 'Cache-Control': string };
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
    '/api/v1/admin/operation/{user_id}/withdrawal': Endpoints.post_CreateWithdrawal;
    '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/cancel': Endpoints.post_CancelOperation;
    '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash': Endpoints.post_SubmitOfframpHash;
    '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits/{deposit_id}/return': Endpoints.post_ReturnDeposit;
    '/api/webhooks/{clientId}': Endpoints.post_RegisterWebhook;
    '/api/webhooks/{clientId}/{webhook_id}/secret': Endpoints.post_RotateWebhookSecret;
    '/api/webhooks/{clientId}/{webhook_id}/test': Endpoints.post_TestWebhook;
    '/api/webhooks/{clientId}/{webhook_id}/deliveries/{delivery_id}/resend': Endpoints.post_ResendDelivery;
    '/api/webhooks/{clientId}/{webhook_id}/replay': Endpoints.post_ReplayEvents;
    '/api/sandbox/deposits': Endpoints.post_SimulateDeposit;
    '/api/sandbox/deposits/{deposit_id}/return': Endpoints.post_SimulateReturn;
    '/api/sandbox/operations/{operation_id}': Endpoints.post_SimulateOperation;
    '/api/sandbox/payins/{payin_id}': Endpoints.post_SimulatePayin;
    '/api/sandbox/client': Endpoints.post_SimulateClient;
  };
  get: {
    '/api/infoClient': Endpoints.get_GetClientInfo;
    '/api/v1/admin/users': Endpoints.get_ListUsers;
    '/api/v1/admin/users/{user_id}/wallets': Endpoints.get_ListWallets;
    '/api/v1/admin/fiats/{user_id}/payin': Endpoints.get_ListPayins;
    '/api/v1/admin/fiats/{user_id}/payin/{payin_id}': Endpoints.get_GetPayin;
    '/api/v1/admin/payins': Endpoints.get_ListClientPayins;
    '/api/v1/admin/operation/{user_id}/withdrawal': Endpoints.get_ListOperations;
    '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}': Endpoints.get_GetOperation;
    '/api/v1/admin/withdrawals': Endpoints.get_ListClientOperations;
    '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash': Endpoints.get_GetOfframpHash;
    '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash/polls': Endpoints.get_ListHashPolls;
    '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits': Endpoints.get_ListDeposits;
    '/api/v1/events': Endpoints.get_ListEvents;
    '/api/v1/events/{event_id}': Endpoints.get_GetEvent;
    '/api/webhooks/{clientId}': Endpoints.get_ListWebhooks;
    '/api/webhooks/{clientId}/{webhook_id}/deliveries': Endpoints.get_ListDeliveries;
    '/api/webhooks/{clientId}/{webhook_id}/deliveries/{delivery_id}': Endpoints.get_GetDelivery;
    '/api/parameters/banks': Endpoints.get_ListBanks;
    '/api/v1/admin/banks': Endpoints.get_ListBanksAsClient;
    '/api/parameters/tokens': Endpoints.get_ListTokens;
    '/api/openapi.json': Endpoints.get_GetOpenapi;
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

export interface PublishedEvents {
  'ramp.operation.status_changed': Schemas.OperationStatusChangedEvent;
  'ramp.deposit_hash.status_changed': Schemas.DepositHashStatusChangedEvent;
  'ramp.deposit_hash.window_ended': Schemas.DepositHashWindowEndedEvent;
  'ramp.deposit.status_changed': Schemas.DepositStatusChangedEvent;
  'ramp.payin.status_changed': Schemas.PayinStatusChangedEvent;
  'ramp.payin.reversed': Schemas.PayinReversedEvent;
  'compliance.client.status_changed': Schemas.ClientStatusChangedEvent;
  'webhook.test': Schemas.WebhookTestEvent;
}
export const routes = {
  'POST /api/v1/client/token': { needsToken: false, repeatable: 'always' },
  'POST /api/token': { needsToken: false, repeatable: 'always' },
  'GET /api/infoClient': { needsToken: true, repeatable: 'always' },
  'GET /api/v1/admin/users': { needsToken: true, repeatable: 'always', pagedBy: 'cursor' },
  'GET /api/v1/admin/users/{user_id}/wallets': { needsToken: true, repeatable: 'always', pagedBy: 'cursor' },
  'POST /api/v1/admin/fiats/{user_id}/payin': { needsToken: true, repeatable: 'under its key' },
  'GET /api/v1/admin/fiats/{user_id}/payin': { needsToken: true, repeatable: 'always', pagedBy: 'cursor' },
  'GET /api/v1/admin/fiats/{user_id}/payin/{payin_id}': { needsToken: true, repeatable: 'always' },
  'GET /api/v1/admin/payins': { needsToken: true, repeatable: 'always', pagedBy: 'cursor' },
  'POST /api/v1/admin/operation/{user_id}/withdrawal': { needsToken: true, repeatable: 'under its key' },
  'GET /api/v1/admin/operation/{user_id}/withdrawal': { needsToken: true, repeatable: 'always', pagedBy: 'cursor' },
  'GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}': { needsToken: true, repeatable: 'always' },
  'GET /api/v1/admin/withdrawals': { needsToken: true, repeatable: 'always', pagedBy: 'cursor' },
  'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/cancel': { needsToken: true, repeatable: 'never' },
  'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash': { needsToken: true, repeatable: 'always' },
  'GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash': { needsToken: true, repeatable: 'always' },
  'GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash/polls': {
    needsToken: true,
    repeatable: 'always',
  },
  'GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits': {
    needsToken: true,
    repeatable: 'always',
    pagedBy: 'cursor',
  },
  'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits/{deposit_id}/return': {
    needsToken: true,
    repeatable: 'under its key',
  },
  'GET /api/v1/events': { needsToken: true, repeatable: 'always', pagedBy: 'after' },
  'GET /api/v1/events/{event_id}': { needsToken: true, repeatable: 'always' },
  'GET /api/webhooks/{clientId}': { needsToken: true, repeatable: 'always' },
  'POST /api/webhooks/{clientId}': { needsToken: true, repeatable: 'never' },
  'PATCH /api/webhooks/{clientId}/{webhook_id}': { needsToken: true, repeatable: 'never' },
  'DELETE /api/webhooks/{clientId}/{webhook_id}': { needsToken: true, repeatable: 'always' },
  'DELETE /api/webhooks/{clientId}/{webhook_id}/record': { needsToken: true, repeatable: 'always' },
  'POST /api/webhooks/{clientId}/{webhook_id}/secret': { needsToken: true, repeatable: 'never' },
  'POST /api/webhooks/{clientId}/{webhook_id}/test': { needsToken: true, repeatable: 'never' },
  'GET /api/webhooks/{clientId}/{webhook_id}/deliveries': { needsToken: true, repeatable: 'always', pagedBy: 'cursor' },
  'GET /api/webhooks/{clientId}/{webhook_id}/deliveries/{delivery_id}': { needsToken: true, repeatable: 'always' },
  'POST /api/webhooks/{clientId}/{webhook_id}/deliveries/{delivery_id}/resend': {
    needsToken: true,
    repeatable: 'under its key',
  },
  'POST /api/webhooks/{clientId}/{webhook_id}/replay': { needsToken: true, repeatable: 'never' },
  'GET /api/parameters/banks': { needsToken: false, repeatable: 'always' },
  'GET /api/v1/admin/banks': { needsToken: true, repeatable: 'always' },
  'GET /api/parameters/tokens': { needsToken: false, repeatable: 'always' },
  'GET /api/openapi.json': { needsToken: false, repeatable: 'always' },
  'POST /api/sandbox/deposits': { needsToken: true, repeatable: 'always' },
  'POST /api/sandbox/deposits/{deposit_id}/return': { needsToken: true, repeatable: 'always' },
  'POST /api/sandbox/operations/{operation_id}': { needsToken: true, repeatable: 'never' },
  'POST /api/sandbox/payins/{payin_id}': { needsToken: true, repeatable: 'always' },
  'POST /api/sandbox/client': { needsToken: true, repeatable: 'never' },
} as const;
