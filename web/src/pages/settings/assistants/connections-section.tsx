import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ConnectionRecord } from "../../../../../src/mcp/oauth/answers.ts";
import type { McpView } from "../../../../../src/mcp/server/answers.ts";
import { mcpConnectionsQuery, revokeMcpConnection } from "../../../api/assistants.ts";
import { countOf } from "../../../format/number.ts";
import { Age } from "../../../ui/age.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { ConfirmButton } from "../../../ui/confirm-dialog.tsx";
import { Section } from "../../../ui/section.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Summary } from "../../../ui/summary.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { Reading } from "../../../ui/forms/reading.tsx";
import { CONNECTION_WORDS, connectionName, placeWords, scopeWords } from "./words.ts";

/** The assistants that were let in over HTTP. */
export function ConnectionsSection({ view: { authentication } }: { view: McpView }) {
  const query = useQuery({ ...mcpConnectionsQuery, enabled: authentication === "oauth" });
  if (authentication !== "oauth") return null;
  const connections = query.data?.connections ?? [];
  const active = connections.filter(({ status }) => status === "active");
  const ended = connections.filter(({ status }) => status !== "active");
  return (
    <Section title="Connected assistants" aside={active.length > 0 && `${active.length} connected`}>
      <Reading what="connected assistants" query={query}>
        They stay connected.
      </Reading>
      {query.data !== undefined && active.length === 0 && (
        <p className="max-w-[72ch] pt-3 text-ink-2">
          No connected assistants. Add Binnacle to an assistant as shown below. It asks for your consent and then appears here, where you
          can revoke access.
        </p>
      )}
      {active.length > 0 && (
        <ul aria-label="Connected assistants">
          {active.map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} />
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <details className="mt-3">
          <Summary>{countOf(ended.length, "ended connection")}</Summary>
          <ul aria-label="Ended connections">
            {ended.map((connection) => (
              <ConnectionRow key={connection.id} connection={connection} />
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

function ConnectionRow({ connection }: { connection: ConnectionRecord }) {
  const { redirect_uri: redirectUri, scopes, created_at, last_used_at, expires_at, status: state } = connection;
  const { status, word } = CONNECTION_WORDS[state];
  const isActive = state === "active";
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 border-b border-line py-2.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <bdi className="font-[550] wrap-anywhere">{connectionName(connection)}</bdi>
          <Changed value={word} className="inline-flex items-center gap-2">
            <StatusIcon status={status} size={10} />
            {word}
          </Changed>
        </p>
        <p className="mt-0.5 text-sm wrap-anywhere text-ink-2">
          {isActive ? "It " : "It could: "}
          {scopeWords(scopes)}. Allowed <Age at={created_at} form="ago" />, by way of {placeWords(redirectUri)}.
        </p>
        <p className="mt-0.5 text-sm text-ink-2">
          {last_used_at === null ? (
            "Never used"
          ) : (
            <>
              Last used <Age at={last_used_at} form="ago" />
            </>
          )}
          {isActive && (
            <>
              {" · unless used, it ends "}
              <Timestamp at={expires_at} precision="minute" />
            </>
          )}
        </p>
      </div>
      {isActive && <Revocation connection={connection} />}
    </li>
  );
}

function Revocation({ connection }: { connection: ConnectionRecord }) {
  const queryClient = useQueryClient();
  const name = connectionName(connection);
  const revocation = useMutation({
    mutationFn: () => revokeMcpConnection(connection.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: mcpConnectionsQuery.queryKey }),
  });
  return (
    <>
      <ConfirmButton
        label={
          <>
            Revoke<span className="sr-only"> {name}</span>
          </>
        }
        title={`Revoke ${name}?`}
        action="Revoke access"
        mutation={revocation}
        failure="It was not revoked."
      >
        <p>Its tokens stop working now. To reconnect, it must ask for your consent again.</p>
      </ConfirmButton>
    </>
  );
}
