"""Three replicas behind nginx, under load, of which one is killed: python replicas.py SERVER."""

import http.client
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

SECONDS, CLIENTS = 6, 8
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
BODY = json.dumps(
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "test_simple_text", "_meta": META}}
)
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "test_simple_text",
}
# A connection that was refused is tried elsewhere; a call that was sent is not, since it may have run.
CONFIG = """
daemon off; worker_processes 1; pid {directory}/nginx.pid; error_log {directory}/error.log;
events {{ worker_connections 512; }}
http {{
  access_log off;
  client_body_temp_path {directory}/body; proxy_temp_path {directory}/proxy; fastcgi_temp_path {directory}/fastcgi;
  uwsgi_temp_path {directory}/uwsgi; scgi_temp_path {directory}/scgi;
  upstream replicas {{ {servers} }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://replicas; proxy_http_version 1.1; proxy_set_header Host localhost; proxy_set_header Connection "";
      proxy_buffering off; proxy_connect_timeout 1s;
    }}
  }}
}}
"""


def replica(server):
    process = subprocess.Popen([server, "--http", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    return process, re.search(r"127\.0\.0\.1:\d+", process.stderr.readline()).group()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def load(port, until, done, failed):
    while time.monotonic() < until:
        began = time.monotonic()
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("POST", "/mcp", BODY, HEADERS)
            answer = connection.getresponse()
            text = answer.read().decode()
            assert answer.status == 200 and json.loads(text)["result"]["isError"] is False, f"{answer.status} {text}"
            done.append(began)
        except Exception as error:  # noqa: BLE001: whatever it is, the call failed
            failed.append((began, time.monotonic(), error))
        finally:
            connection.close()


def main(server):
    replicas = [replica(server) for _ in range(3)]
    with tempfile.TemporaryDirectory() as directory:
        port = free_port()
        servers = " ".join(f"server {address} max_fails=1 fail_timeout=2s;" for _, address in replicas)
        config = pathlib.Path(directory) / "nginx.conf"
        config.write_text(CONFIG.format(directory=directory, servers=servers, port=port))
        nginx = subprocess.Popen(["nginx", "-e", f"{directory}/error.log", "-c", str(config)])
        try:
            for _ in range(100):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            done, failed = [], []
            until = time.monotonic() + SECONDS
            clients = [threading.Thread(target=load, args=(port, until, done, failed)) for _ in range(CLIENTS)]
            for client in clients:
                client.start()
            time.sleep(SECONDS / 2)
            replicas[1][0].kill()
            killed = time.monotonic()
            for client in clients:
                client.join()
        finally:
            nginx.terminate()
            nginx.wait()
            for process, _ in replicas:
                process.kill()
                process.wait()
    lost = [error for began, ended, error in failed if began > killed or ended < killed]
    after = sum(began > killed for began in done)
    print(f"{len(done)} calls, {after} of them after a replica was killed; {len(failed)} that it had under way were lost")
    assert after > 0 and not lost, f"calls failed that the killed replica did not have: {lost[:3]}"
    assert len(failed) <= CLIENTS, failed


main(sys.argv[1])
