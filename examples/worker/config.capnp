# What `workerd serve` runs: `config` in production, `trial` with servers on this machine. On Cloudflare the same
# bindings stand in wrangler's configuration, and secrets come from `wrangler secret put`.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],  # its fetch() reaches public addresses only
  sockets = [.socket],
);

const trial :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["127.0.0.0/8"])),
  ],
  sockets = [.socket],
);

# whoever terminates TLS and signs people in stands before it
const socket :Workerd.Socket = (name = "http", address = "127.0.0.1:8080", http = (), service = "main");

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
  durableObjectNamespaces = [(className = "Account", uniqueKey = "account")],
  durableObjectStorage = (inMemory = void),  # nothing is stored
  bindings = [
    (name = "ACCOUNTS", durableObjectNamespace = "Account"),
    (name = "CONFIGURATION", json = embed "configuration.json"),
    (name = "JWKS_URI", text = embed "jwks_uri"),
    (name = "IDP_CLIENT_SECRET", text = embed "secrets/idp_client_secret"),
    (name = "NOTES_CLIENT_SECRET", text = embed "secrets/notes_client_secret"),
  ],
);
