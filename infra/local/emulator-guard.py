"""
Starts the emulator as the AWS of one run. The emulator itself treats every caller as the root of its account, runs
callers' code as a process of the user who started it, and answers pages of every origin. So each request must have the
access key of the run (AWS_ACCESS_KEY_ID), or a key that the emulator has issued to a caller with it. Only the APIs that
are deployed to it are open to others, because these APIs check their callers themselves. The number of functions
that run at the same time has a limit here that a laptop can bear.
"""

import hmac
import os
import re
import signal
import sys
import threading
from urllib.parse import parse_qs

import ministack.app as ministack
from ministack.core import lambda_runtime
from ministack.core.router import extract_access_key_id
from ministack.core.sigv4 import decode_header_value
from ministack.services import lambda_svc, sts

OWN_KEY = os.environ["AWS_ACCESS_KEY_ID"]

# The emulator reads other host names as buckets or functions, and the name of a site may lead here (DNS rebinding).
THIS_MACHINE = re.compile(r"(127\.0\.0\.1|localhost)(:\d+)?")

DEPLOYED_API = re.compile(r"/restapis/[^/]+/[^/]+/_user_request_(/|$)")

# A custom resource reports its outcome to a random address below this path; on AWS, too, it knows only this address.
TOLD_BY_RESOURCE = "/_ministack/cfn-response/"


def is_allowed(scope):
    headers = {name.decode("latin-1").lower(): decode_header_value(value) for name, value in scope["headers"]}
    if not THIS_MACHINE.fullmatch(headers.get("host", "")) or "origin" in headers or "sec-fetch-site" in headers:
        return False
    query = parse_qs(scope["query_string"].decode("utf-8"), keep_blank_values=True)
    key = extract_access_key_id(headers, query)
    if key == "" and not is_signed(headers, query):
        if scope["method"] == "PUT" and scope["path"].startswith(TOLD_BY_RESOURCE):
            return True
        return DEPLOYED_API.match(scope["path"]) is not None
    return hmac.compare_digest(key.encode(), OWN_KEY.encode()) or key in sts._sessions


def is_signed(headers, query):
    """True for any kind of signature, even if the emulator reads no key in it: the operators' API requires one."""
    return headers.get("authorization", "").startswith("AWS") or any(
        name.lower().startswith(("x-amz-", "awsaccesskeyid")) for name in query
    )


serve = ministack.app


async def guard(scope, receive, send):
    if scope["type"] == "lifespan" or (scope["type"] == "http" and is_allowed(scope)):
        await serve(scope, receive, send)
    elif scope["type"] == "http":
        await send({"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"text/plain")]})
        await send({"type": "http.response.body", "body": b"The local AWS accepts only the access key of its run.\n"})
    else:
        await send({"type": "websocket.close"})


issue = lambda_runtime.execution_credentials


def issue_unguessable(config):
    """The emulator derives credentials from a function's name and role, which other users of this machine may know."""
    credentials = issue(config)
    session = sts._sessions.pop(credentials["AWS_ACCESS_KEY_ID"])

    def unguessable(name):
        return hmac.new(OWN_KEY.encode(), credentials[name].encode(), "sha256").hexdigest()

    key = f"ASIA{unguessable('AWS_ACCESS_KEY_ID')[:32].upper()}"
    secret, token = unguessable("AWS_SECRET_ACCESS_KEY"), unguessable("AWS_SESSION_TOKEN")
    sts.register_session(key, {**session, "SecretAccessKey": secret, "SessionToken": token})
    return {"AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret, "AWS_SESSION_TOKEN": token}


def forget_expired_sessions():
    """Iterates over a copy: the emulator iterated while other threads added sessions, whose calls then got 502."""
    for key, session in list(sts._sessions.items()):
        if sts._session_expired(session):
            sts._sessions.pop(key, None)


# Each execution is a process of Node. Without a limit, 700 simultaneous verifications took 14 GB.
RUN_AT_ONCE = 40

# A simulated provider is a function that waits for the receiver of its notification: the last slots are for receivers.
TAKES_NOTIFICATIONS = re.compile(r"receive(custodian|rail)notific", re.IGNORECASE)
KEPT_FOR_NOTIFICATIONS = 8

take_slot = lambda_svc._acquire_execution_slot
give_slot_back = lambda_svc._release_execution_slot
slots_changed = threading.Condition()


def wait_for_slot(func, config):
    """
    The emulator's own limit refuses calls above it. Here they wait: each call has its own thread, and receivers that
    other functions wait for have slots of their own, so that each call gets its turn.
    """
    is_notification = TAKES_NOTIFICATIONS.search(config.get("FunctionName", "")) is not None
    places = RUN_AT_ONCE if is_notification else RUN_AT_ONCE - KEPT_FOR_NOTIFICATIONS
    with slots_changed:
        # A notified thread may be refused by a limit of its function, and would then not notify the next one.
        while lambda_svc.executions_in_flight()[0] >= places:
            slots_changed.wait(timeout=1)
        return take_slot(func, config)


def give_slot_back_and_tell(key):
    with slots_changed:
        give_slot_back(key)
        slots_changed.notify_all()


# Idle processes take at most a third of this machine's memory, at 75 MB each.
PROCESSES = max(RUN_AT_ONCE, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 3 // 75_000_000)

acquire_worker = lambda_svc.acquire_worker


def acquire_and_make_room(*args, **options):
    """The emulator keeps each function's processes for ever. Above the limit, a new one ends the longest unused one."""
    worker, reason = acquire_worker(*args, **options)
    if reason == "spawn":
        lambda_runtime.kill_workers(take_surplus())
    return worker, reason


def take_surplus():
    with lambda_runtime._lock:
        pools = lambda_runtime._workers
        idle = [(worker.last_used, key, worker) for key, pool in pools.items() for worker in pool if not worker.in_use]
        surplus = sum(map(len, pools.values())) - PROCESSES
        taken = sorted(idle, key=lambda one: one[0])[: max(surplus, 0)]
        for _, key, worker in taken:
            pools[key].remove(worker)
    return [worker for _, _, worker in taken]


def end_with_starter():
    """The starter holds the other end of the standard input, and may be killed before it can end this process."""
    sys.stdin.buffer.read()
    os.killpg(0, signal.SIGKILL)


if os.getpgrp() == os.getpid():
    threading.Thread(target=end_with_starter, daemon=True).start()
sts._evict_expired_sessions = forget_expired_sessions
lambda_svc.acquire_worker = acquire_and_make_room
lambda_svc._acquire_execution_slot = wait_for_slot
lambda_svc._release_execution_slot = give_slot_back_and_tell
ministack.app = guard
for module in (lambda_runtime, lambda_svc):
    module.execution_credentials = issue_unguessable
ministack.main()
