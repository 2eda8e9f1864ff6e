/** Newer images, what is known of them, and whom to ask, as part of the table in options.ts. */
import { origin, privateHost } from "./address-types.ts";
import { accessToken, durationOrOff, list, path, secret, toggle, type Option } from "./value-types.ts";

export const UPDATE_OPTIONS = {
  updateInterval: {
    flag: "--update-interval",
    env: "UPDATE_INTERVAL",
    type: durationOrOff({ min: "1m", max: "720h" }),
    default: "24h",
    help: "How often registries are asked for newer images, and vulnerability databases about them; `off`: only when somebody begins a scan.",
  },
  registryAuthFile: {
    flag: "--registry-auth-file",
    env: "REGISTRY_AUTH_FILE",
    type: path,
    otherwise: "~/.docker/config.json where it can be read",
    help: "Credentials of registries, in the form of Docker's config.json.",
  },
  updatePrivateHosts: {
    flag: "--update-private-hosts",
    env: "UPDATE_PRIVATE_HOSTS",
    type: list(privateHost),
    default: "",
    help: "Hosts that may be on private networks when updates ask them: registries, release notes, vulnerability databases. HOST or HOST:PORT; http:// before it for plain http.",
  },
  osvUrl: {
    flag: "--osv-url",
    env: "OSV_URL",
    type: origin,
    default: "https://api.osv.dev",
    help: "The vulnerability database to ask, by the interface of OSV.",
  },
  osvDir: {
    flag: "--osv-dir",
    env: "OSV_DIR",
    type: path,
    otherwise: "the database at the URL is asked",
    help: "A folder of OSV records, as JSON files or as the zip files that OSV publishes for each ecosystem: nothing leaves this host to find vulnerabilities.",
  },
  changelogToken: {
    flag: "--changelog-token",
    env: "CHANGELOG_TOKEN",
    type: secret(accessToken),
    otherwise: "release notes are read without a login",
    help: "A token for the release notes of GitHub, which allows more questions an hour.",
  },
  updateRegressionAlerts: {
    flag: "--update-regression-alerts",
    env: "UPDATE_REGRESSION_ALERTS",
    type: toggle,
    default: "true",
    help: "Alert when a container does worse after its image changed.",
  },
} as const satisfies Record<string, Option>;
