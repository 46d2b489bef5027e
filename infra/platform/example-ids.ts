/** The same clients, users and resources in all examples, so that they can be read as one story. */
export const CLIENT_ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
export const USER_ID = '6c1f0d5e-8a4b-4f6e-9d57-2f1c3b0a7e11';
export const OPERATION_ID = '0b9d7c3a-51e2-4b8f-8c46-7a2e9f10d3b4';
export const DEPOSIT_ID = '4a1e7c92-0d3b-8f56-9b28-c6e5f1a7d093';
export const PAYIN_ID = 'e2a4c6d8-1b3f-4d5e-9a7c-0f2b4d6e8a13';
export const WALLET_ID = 'b7f3e9a1-2c4d-4e6f-8a0b-1c3d5e7f9a24';
export const WEBHOOK_ID = '9d2b1c44-6f0e-4a8b-b1d7-5e3c7a90f2d1';
export const EVENT_ID = 'evt_AAAAAAULnXw6UeJLj4xGei6fENO0cmFtcC5vcGVyYXRpb24uc3RhdHVzX2NoYW5nZWQ';
export const DELIVERY_ID = 'dlv_5c1e8a7d9b2f4036a1c4e7f80d6b3952';
export const TX_HASH = '0x9c2f4e6a8b0d1c3e5f7a9b1d3c5e7f9a0b2d4c6e8f0a1b3c5d7e9f1a3b5c7d9e';
export const DEPOSIT_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
export const WALLET_ADDRESS = '0xde709f2102306220921060314715629080e2fb77';
export const PROPOSAL_ID = '5f0a1f9c-7d0e-4c55-9d0b-0c2b6f5a9e31';
