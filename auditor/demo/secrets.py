"""The secrets that the demo plants where a person would meet them; none may ever be found in a file of the store.

They are put together here, so that no scanner takes this file for a leak.
"""

API_KEY = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc" + "Vu8QbN3x"
DEPLOY_TOKEN = "ghp_" + "A7cK2mXq9RtVw4LbZ8sYp1NhJ6dGf3UeTx0B"
REGISTRY_PASSWORD = "correct-" + "horse-" + "Battery7!staple"
SIGNING_SECRET = "xoxb-" + "271828182845-" + "314159265358-" + "Qm9vZ2llV29vZ2llMTIzNDU2"

PLANTED = (API_KEY, DEPLOY_TOKEN, REGISTRY_PASSWORD, SIGNING_SECRET)
