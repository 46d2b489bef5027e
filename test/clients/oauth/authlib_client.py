"""Prints what Authlib says: `token`, or the error by which it raises."""

import os

from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])
try:
    answer = session.fetch_token(os.environ["TOKEN_URL"], grant_type="client_credentials")
    print("token" if "access_token" in answer else answer)
except OAuthError as refused:
    print(refused.error)
