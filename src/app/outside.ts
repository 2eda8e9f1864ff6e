import type { HostReader } from "../collector/host.ts";
import type { Probes } from "../collector/probes/index.ts";
import type { ScanCertificate } from "../collector/tls/scan.ts";
import type { Editions } from "../editions/index.ts";
import type { Listener } from "../fleet/listener/index.ts";
import type { AgentRegister, Ingest } from "../fleet/seams.ts";
import type { Images } from "../images/index.ts";
import type { ObservationSink } from "../observations.ts";
import type { Outbound } from "../platform/outbound.ts";

/**
 * All that a server reaches outside of its process, and the edition that goes with it. One object: a program whose editions are made up watches nothing real.
 */
export interface Outside {
  editions: Editions;
  openChecks(parts: { sink: ObservationSink }): { probes: Probes; scan: ScanCertificate };
  /** Of channels and webhooks. */
  outbound: Outbound;
  /** Of registries, vulnerability databases and release notes. */
  images: Images;
  /** What the server's own host uses. */
  host: HostReader;
  /** Stands for the port of the agents. */
  openListener(parts: { agents: AgentRegister; ingest: Ingest }): Listener;
}
