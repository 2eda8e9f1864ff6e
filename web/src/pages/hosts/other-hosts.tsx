import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { healthQuery } from "../../api/queries.ts";
import { buttonClass } from "../../ui/button.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/section.tsx";

const SERVER_MODE = `environment:
  SERVICE_MODE: server
  # where the server listens for agents
  SERVICE_GRPC_LISTEN: 0.0.0.0:8443
  # the address agents connect to
  SERVICE_GRPC_URL: monitor.example.com:8443
  # the certificate agents verify
  SERVICE_GRPC_TLS_CERT: /etc/binnacle/agents.crt
  SERVICE_GRPC_TLS_KEY: /etc/binnacle/agents.key
volumes:
  - /etc/binnacle:/etc/binnacle:ro
ports:
  - "8443:8443"`;

/** What other hosts are, while there is none. `isAlone`: the server watches not even its own. */
export function NoOtherHosts({ isAlone }: { isAlone: boolean }) {
  const mode = useQuery(healthQuery).data?.mode;
  if (isAlone) {
    return (
      <EmptyState title="No hosts yet">
        <p>
          This server does not monitor its own host. Run an agent on each other host: it connects to this server, so the host needs no open
          port. It keeps recording while disconnected and catches up later.
        </p>
      </EmptyState>
    );
  }
  return (
    <Section title="Other hosts">
      <div className="flex max-w-[72ch] flex-col items-start gap-3 py-3 text-ink-2">
        <p>
          None yet. Run an agent on each other host: it connects to this server, so the host needs no open port. It keeps recording while
          disconnected and catches up later.
        </p>
        {mode === "embedded" && <ServerMode />}
        {mode === "server" && (
          <Link to="/hosts/new" className={buttonClass()}>
            Add host
          </Link>
        )}
      </div>
    </Section>
  );
}

/** How a server that watches its own host only comes to take others. */
export function ServerMode() {
  return (
    <>
      <p>This server monitors its own host only. To connect agents, switch it to server mode; no data is lost. In its Compose file:</p>
      <CommandLine command={SERVER_MODE} />
    </>
  );
}
