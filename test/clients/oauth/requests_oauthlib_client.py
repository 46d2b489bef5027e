"""Prints what requests-oauthlib says: `token`, or the error by which it raises."""

import os

from oauthlib.oauth2 import BackendApplicationClient, OAuth2Error
from requests_oauthlib import OAuth2Session

# The service of this trial is on this machine, without TLS.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

session = OAuth2Session(client=BackendApplicationClient(os.environ["CLIENT_ID"]))
try:
    answer = session.fetch_token(
        os.environ["TOKEN_URL"],
        client_id=os.environ["CLIENT_ID"],
        client_secret=os.environ["CLIENT_SECRET"],
    )
    print("token" if "access_token" in answer else answer)
except OAuth2Error as refused:
    print(refused.error)
