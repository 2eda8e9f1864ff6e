import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { TokenRecord } from "../../../../src/fleet/enrollment/answers.ts";
import { deleteToken, tokensQuery } from "../../api/agents.ts";
import { useAsksAgents } from "../../app/hosts-provider.tsx";
import { useHostName } from "../../app/hosts.ts";
import { countOf } from "../../format/number.ts";
import { Age } from "../../ui/age.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { useNow } from "../../ui/ticker.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";
import { tokenState } from "./words.ts";

/** The enrollment tokens that are open, were used, or ran out; nothing where there never was one. */
export function TokenSection() {
  const { data, error, refetch } = useQuery({ ...tokensQuery, enabled: useAsksAgents() });
  if (error !== null && data === undefined) {
    return (
      <Section title="Enrollment tokens">
        <ErrorNote what="Could not load enrollment tokens." error={error} onRetry={() => void refetch()} />
      </Section>
    );
  }
  if (data === undefined || data.tokens.length === 0) return null;
  const more = data.total - data.tokens.length;
  return (
    <Section title="Enrollment tokens" aside={<span className="max-sm:hidden">Each works for one host and was shown once</span>}>
      <ul aria-label="Enrollment tokens">
        {data.tokens.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </ul>
      {more > 0 && <p className="pt-2 text-xs text-ink-2">{countOf(more, "older one is", "older ones are")} not shown.</p>}
    </Section>
  );
}

function TokenRow({ token }: { token: TokenRecord }) {
  const { id, token_prefix: prefix, label, expires_at, consumed_at, agent_id } = token;
  const word = useNow((nowMs) => tokenState(token, nowMs).word);
  const { status } = tokenState(token, word === "Expired" ? Infinity : 0);
  const nameOf = useHostName();
  return (
    <li className="grid min-h-9 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-t border-line py-1 first:border-t-0 max-md:pb-2.5 md:grid-cols-[148px_minmax(0,1fr)_minmax(0,1.6fr)_auto]">
      <code className="font-mono text-xs">{prefix}</code>
      <span className="truncate text-ink-2 max-md:order-3 max-md:col-span-2 max-md:text-sm">
        {label === null ? "no label" : <bdi>{label}</bdi>}
      </span>
      <span className="flex min-w-0 items-center gap-2 max-md:order-4 max-md:col-span-2 max-md:text-sm">
        <StatusIcon status={status} size={10} />
        <span className="min-w-0 wrap-anywhere">
          {word}
          {word === "Open" && (
            <>
              {" until "}
              <Timestamp at={expires_at} precision="minute" /> ·{" "}
              <Link to="/hosts/new" search={{ token: id }} className="underline underline-offset-2 hover:text-ink">
                waiting for a host
              </Link>
            </>
          )}
          {word === "Expired" && (
            <>
              {" "}
              <Age at={expires_at} form="ago" />
            </>
          )}
          {word === "Used" && consumed_at !== null && (
            <>
              {" "}
              <Age at={consumed_at} form="ago" />
              {agent_id !== null && (
                <>
                  {" by "}
                  <Link to="/hosts/$id" params={{ id: agent_id }} className="underline underline-offset-2 hover:text-ink">
                    <bdi>{nameOf(agent_id)}</bdi>
                  </Link>
                </>
              )}
            </>
          )}
        </span>
      </span>
      <Removal token={token} isOpen={word === "Open"} />
    </li>
  );
}

function Removal({ token: { id, token_prefix: prefix }, isOpen }: { token: TokenRecord; isOpen: boolean }) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const removal = useMutation({
    mutationFn: () => deleteToken(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  return (
    <>
      <Button kind="quiet" onClick={() => (isOpen ? setAsking(true) : removal.mutate())} disabled={removal.isPending}>
        Delete<span className="sr-only"> token {prefix}</span>
      </Button>
      {removal.isError && !isAsking && (
        <div className="order-5 col-span-full">
          <ErrorNote what="The token was not deleted." error={removal.error} />
        </div>
      )}
      <ConfirmDialog
        open={isAsking}
        title={`Delete token ${prefix}?`}
        action="Delete token"
        mutation={removal}
        failure="The token was not deleted."
        onClose={() => setAsking(false)}
      >
        <p>It can no longer enroll a host, so unused snippets with it stop working. Enrolled hosts stay connected.</p>
      </ConfirmDialog>
    </>
  );
}
