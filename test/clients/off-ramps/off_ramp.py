"""One off-ramp from its token to COMPLETED, by the client that openapi-python-client generates."""

import base64
import os
import secrets
import time
import uuid

from api_client import AuthenticatedClient, Client
from api_client.api.access import issue_token
from api_client.api.off_ramps import create_withdrawal, get_offramp_hash, get_operation, submit_offramp_hash
from api_client.api.sandbox import simulate_deposit
from api_client.models import (
    AccessToken,
    CreateWithdrawalRequest,
    OffRampHash,
    OperationResult,
    OperationWithHistory,
    OperationWithHistoryResult,
    Problem,
    SimulateDepositRequest,
    SubmitHashRequest,
    TokenRequest,
)

base_url = os.environ["BASE_URL"]
user_id = uuid.UUID(os.environ["USER_ID"])
AMOUNT = "250.5"


def token() -> str:
    """By HTTP Basic, with nothing in the body."""
    credentials = f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}"
    client = AuthenticatedClient(base_url, base64.b64encode(credentials.encode()).decode(), prefix="Basic")
    answer = issue_token.sync(client=client, body=TokenRequest())
    assert isinstance(answer, AccessToken), answer
    return answer.access_token


def eventually(read, holds):
    """What is read once it holds; a minute is enough for every step."""
    for _ in range(120):
        answer = read()
        if holds(answer):
            return answer
        time.sleep(0.5)
    raise TimeoutError(f"This is still so after a minute: {answer}")


client = AuthenticatedClient(base_url, token())

unknown = get_operation.sync(user_id, uuid.uuid4(), client=client)
assert isinstance(unknown, Problem) and unknown.code == "OFF_RAMP_NOT_FOUND", unknown

order = CreateWithdrawalRequest(uuid.UUID(os.environ["WALLET_ID"]), int(os.environ["TOKEN_ID"]), AMOUNT)
created = create_withdrawal.sync(user_id, client=client, body=order, idempotency_key=str(uuid.uuid4()))
assert isinstance(created, OperationResult), created
operation = created.operation

tx_hash = f"0x{secrets.token_hex(32)}"
deposit = SimulateDepositRequest(
    network="POLYGON",
    tx_hash=tx_hash,
    from_address=os.environ["WALLET_ADDRESS"],
    to_address=operation.address,
    token=operation.token,
    amount=operation.amount,
    state="CONFIRMED",
)
simulate_deposit.sync(client=client, body=deposit)
submit_offramp_hash.sync(user_id, operation.id, client=client, body=SubmitHashRequest(tx_hash))

eventually(
    lambda: get_offramp_hash.sync(user_id, operation.id, client=client),
    lambda answer: isinstance(answer, OffRampHash) and answer.status == "VERIFIED",
)
ended = eventually(
    lambda: get_operation.sync(user_id, operation.id, client=client),
    lambda answer: isinstance(answer, OperationWithHistoryResult)
    and answer.operation.status == "COMPLETED",
)

later = OperationWithHistory.from_dict({**ended.operation.to_dict(), "status": "ON_HOLD", "added": True})
assert later.status == "ON_HOLD", later
print(ended.operation.status)
