/** What registries have of the images of the demo, and what is known of them. Vulnerabilities are those of their libraries in the months of these versions. */

/** What a program is made with, by which its libraries are known. */
export type Family = "go" | "node" | "java" | "debian" | "python";

export interface Release {
  /** As containers name it, without its tag. */
  image: string;
  family: Family;
  /** The newest tag, and how long ago it came; the same as what runs: only its content is new. */
  newest: string;
  daysAgo: number;
  source: string;
  /** What its notes say of the newest version. */
  notes: string;
}

const OURS = "ghcr.io/harbour-shop";
const FORGE = "https://git.harbour.example/shop";

type Row = readonly [image: string, family: Family, newest: string, daysAgo: number, source: string, notes: string];

const PAYMENTS =
  "### Fixed\n\n- Starts without `PSP_SIGNING_KEY` again: `PSP_API_KEY` is accepted until 3.0.0, with a warning.\n- Rounding of refunds in JPY.";
const FIXES = "### Fixed\n\n- Memory held by closed connections.\n- Libraries with known vulnerabilities are replaced.";
const MAJOR =
  "### Breaking changes\n\n- BREAKING: the configuration format changed; see the migration guide.\n\n### Added\n\n- Faster start with large data.";
const MINOR = "### Added\n\n- More metrics, and a health endpoint.\n\n### Fixed\n\n- Slow shutdown under load.";

const ROWS: readonly Row[] = [
  [`${OURS}/payments`, "go", "2.15.1", 0, `${FORGE}/payments`, PAYMENTS],
  [`${OURS}/storefront`, "node", "4.18.1", 1, `${FORGE}/storefront`, FIXES],
  [`${OURS}/accounts`, "node", "1.23.0", 9, `${FORGE}/accounts`, MINOR],
  [`${OURS}/mail-worker`, "python", "1.9.0", 31, `${FORGE}/mail-worker`, MINOR],
  ["traefik", "go", "v3.5.3", 12, "https://github.com/traefik/traefik", FIXES],
  ["postgres", "debian", "16.10", 40, "https://github.com/docker-library/postgres", FIXES],
  ["redis", "debian", "7.2.11", 22, "https://github.com/redis/redis", FIXES],
  ["rabbitmq", "debian", "4.0.5-management", 55, "https://github.com/rabbitmq/rabbitmq-server", MAJOR],
  ["opensearchproject/opensearch", "java", "2.18.0", 27, "https://github.com/opensearch-project/OpenSearch", MINOR],
  ["clickhouse/clickhouse-server", "debian", "24.8.14", 18, "https://github.com/ClickHouse/ClickHouse", FIXES],
  ["apache/kafka", "java", "3.9.0", 33, "https://github.com/apache/kafka", MINOR],
  ["prom/node-exporter", "go", "v1.9.1", 70, "https://github.com/prometheus/node_exporter", MINOR],
  ["nextcloud", "debian", "29.0.16", 6, "https://github.com/nextcloud/server", FIXES],
  ["gitea/gitea", "go", "1.22.6", 15, "https://github.com/go-gitea/gitea", FIXES],
  ["grafana/grafana", "go", "11.4.0", 24, "https://github.com/grafana/grafana", MINOR],
  ["grafana/loki", "go", "3.3.2", 21, "https://github.com/grafana/loki", MINOR],
  ["registry", "go", "3.0.0", 48, "https://github.com/distribution/distribution", MAJOR],
  ["vaultwarden/server", "debian", "1.32.7", 11, "https://github.com/dani-garcia/vaultwarden", FIXES],
  ["collabora/code", "debian", "24.04.8", 4, "https://github.com/CollaboraOnline/online", FIXES],
];

export const RELEASES: readonly Release[] = ROWS.map(([image, family, newest, daysAgo, source, notes]) => ({
  ...{ image, family, newest, daysAgo, source, notes },
}));

/** By the software alone, of images without a newer one. */
export function familyOf(image: string): Family {
  const known = RELEASES.find((release) => image.startsWith(`${release.image}:`));
  if (known !== undefined) return known.family;
  if (image.startsWith(OURS)) return "go";
  return /metabase/.test(image) ? "java" : /wiki/.test(image) ? "node" : /paperless/.test(image) ? "python" : "go";
}

type Severity = "critical" | "high" | "medium" | "low";

/** A library in a version with a vulnerability, and the first one without it. */
export interface Weakness {
  id: string;
  ecosystem: string;
  package: string;
  version: string;
  fixedIn: string;
  score: number;
  severity: Severity;
  summary: string;
  publishedAt: string;
}

type WeaknessRow = readonly [id: string, name: string, version: string, fixedIn: string, score: number, day: string, summary: string];

function weaknesses(ecosystem: string, rows: readonly WeaknessRow[]): Weakness[] {
  return rows.map(([id, name, version, fixedIn, score, day, summary]) => ({
    ...{ id, ecosystem, package: name, version, fixedIn, score, summary, publishedAt: `${day}T00:00:00Z` },
    severity: score >= 9 ? "critical" : score >= 7 ? "high" : score >= 4 ? "medium" : "low",
  }));
}

export const WEAKNESSES: Readonly<Record<Family, readonly Weakness[]>> = {
  go: weaknesses("Go", [
    [
      "CVE-2024-45337",
      "golang.org/x/crypto",
      "0.28.0",
      "0.31.0",
      9.1,
      "2024-12-11",
      "Misuse of PublicKeyCallback may cause authorization bypass in SSH",
    ],
    ["CVE-2024-34156", "stdlib", "1.22.5", "1.22.7", 7.5, "2024-09-06", "Stack exhaustion when decoding deeply nested gob messages"],
    ["CVE-2024-45338", "golang.org/x/net", "0.30.0", "0.33.0", 5.3, "2024-12-18", "Non-linear parsing of case-insensitive content in HTML"],
  ]),
  node: weaknesses("npm", [
    ["CVE-2024-21538", "cross-spawn", "7.0.3", "7.0.5", 7.5, "2024-11-08", "Regular expression denial of service"],
    ["CVE-2024-4068", "braces", "3.0.2", "3.0.3", 7.5, "2024-05-14", "Uncontrolled resource consumption"],
    ["CVE-2024-28849", "follow-redirects", "1.15.5", "1.15.6", 6.5, "2024-03-14", "Proxy-Authorization header kept across hosts"],
  ]),
  java: weaknesses("Maven", [
    ["CVE-2024-47561", "org.apache.avro:avro", "1.11.3", "1.11.4", 7.3, "2024-10-03", "Arbitrary code execution when reading schemas"],
    [
      "CVE-2024-47554",
      "commons-io:commons-io",
      "2.11.0",
      "2.14.0",
      4.3,
      "2024-10-03",
      "Uncontrolled resource consumption in XmlStreamReader",
    ],
  ]),
  debian: weaknesses("Debian:12", [
    ["CVE-2024-45490", "expat", "2.5.0-1", "2.5.0-1+deb12u1", 9.8, "2024-08-30", "Negative length accepted by XML_ParseBuffer"],
    ["CVE-2024-6119", "openssl", "3.0.13-1~deb12u1", "3.0.14-1~deb12u2", 7.5, "2024-09-03", "Denial of service in X.509 name checks"],
    [
      "CVE-2024-37371",
      "krb5",
      "1.20.1-2",
      "1.20.1-2+deb12u2",
      9.1,
      "2024-06-28",
      "Invalid memory reads while processing GSS message tokens",
    ],
    ["CVE-2024-50602", "expat", "2.5.0-1", "2.5.0-1+deb12u1", 5.9, "2024-10-27", "Crash in XML_ResumeParser"],
  ]),
  python: weaknesses("PyPI", [
    ["CVE-2024-35195", "requests", "2.31.0", "2.32.0", 5.6, "2024-05-20", "Certificates are not verified in a session after verify=False"],
    ["CVE-2024-22195", "jinja2", "3.1.2", "3.1.3", 5.4, "2024-01-11", "Cross-site scripting through the xmlattr filter"],
  ]),
};
