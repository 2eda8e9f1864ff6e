"""OpenStack Swift with its S3 interface, all of it in one process, listing five objects a page: `s3-server.py FOLDER KEY SECRET` prints its port."""

import os
import sys

import eventlet

eventlet.monkey_patch(thread=False)

from eventlet import listen, wsgi  # noqa: E402
from swift.account.server import AccountController  # noqa: E402
from swift.common import utils  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402
from swift.container.server import ContainerController  # noqa: E402
from swift.obj.server import ObjectController  # noqa: E402

PROXY = """
[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = catch_errors s3api tempauth slo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:s3api]
use = egg:swift#s3api
max_bucket_listing = 5
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin
[filter:slo]
use = egg:swift#slo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
"""


class Memory:
    """In place of memcached."""

    def __init__(self):
        self.values = {}

    def get(self, key, **_):
        return self.values.get(key)

    def set(self, key, value, **_):
        self.values[key] = value

    def delete(self, key, **_):
        self.values.pop(key, None)


def with_memory(app):
    memory = Memory()

    def remembering(env, start_response):
        env["swift.cache"] = memory
        return app(env, start_response)

    return remembering


def main(folder, key, secret):
    account, user = key.split(":")
    utils.HASH_PATH_SUFFIX = b"test"
    devices = os.path.join(folder, "devices")
    os.makedirs(os.path.join(devices, "disk"))
    conf = {"devices": devices, "mount_check": "false", "swift_dir": folder, "disable_fallocate": "true"}
    for name, controller in (("account", AccountController), ("container", ContainerController), ("object", ObjectController)):
        sock = listen(("127.0.0.1", 0))
        builder = RingBuilder(2, 1, 1)
        place = {"ip": "127.0.0.1", "port": sock.getsockname()[1], "device": "disk"}
        builder.add_dev({"id": 0, "region": 1, "zone": 1, "weight": 1.0, "meta": "", **place})
        builder.rebalance()
        builder.get_ring().save(os.path.join(folder, name + ".ring.gz"))
        eventlet.spawn(wsgi.server, sock, controller(conf), log_output=False, protocol=SwiftHttpProtocol)
    path = os.path.join(folder, "proxy-server.conf")
    with open(path, "w") as file:
        file.write(PROXY.format(folder=folder, account=account, user=user, secret=secret))
    sock = listen(("127.0.0.1", 0))
    print(sock.getsockname()[1], flush=True)
    wsgi.server(sock, with_memory(loadapp(path)), log_output=False, protocol=SwiftHttpProtocol)


main(*sys.argv[1:])
