import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SilenceRecord } from "../../../../../src/alerting/suppression/answers.ts";
import { cancelSilence } from "../../../api/silences.ts";
import { formatAge } from "../../../format/time.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { useNow } from "../../../ui/ticker.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { matchersWords, SILENCE_WORDS } from "../../../entities/silences/silence-words.ts";
import { Span } from "../../../entities/silences/span.tsx";
import { useNames } from "../../../entities/silences/use-names.ts";

/** One silence: what it keeps quiet, why, until when. */
export function SilenceRow({ silence }: { silence: SilenceRecord }) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const names = useNames();
  const cancelling = useMutation({
    mutationFn: () => cancelSilence(silence.id),
    onSuccess() {
      setAsking(false);
      return queryClient.invalidateQueries({ queryKey: ["silences"] });
    },
  });
  const isActive = silence.status === "active";
  const { status, word } = SILENCE_WORDS[silence.status];
  const isOver = silence.status === "expired" || silence.status === "cancelled";
  return (
    <li className="border-b border-line py-2.5">
      <div className="grid items-start gap-x-4 gap-y-1.5 md:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <p className="font-[550] wrap-anywhere">
            <bdi>{matchersWords(silence.matchers, names)}</bdi>
          </p>
          <p dir="auto" className="mt-0.5 max-w-[110ch] wrap-anywhere text-ink-2">
            {silence.reason}
            {silence.created_by !== null && ` (${silence.created_by})`}
          </p>
          <p className="mt-0.5 flex flex-wrap items-baseline gap-x-3 text-sm">
            <span className="inline-flex items-center gap-2">
              <StatusIcon status={status} size={10} />
              <span>
                {word}
                {silence.status === "active" && <Remaining until={silence.ends_at} />}
              </span>
            </span>
            <Span from={silence.starts_at} until={silence.ends_at} />
            {silence.cancelled_at !== null && (
              <span className="text-ink-2">
                cancelled <Timestamp at={silence.cancelled_at} precision="minute" />
              </span>
            )}
          </p>
        </div>
        {!isOver && (
          <Button className="justify-self-start" disabled={cancelling.isPending} onClick={() => setAsking(true)}>
            {isActive ? "End now" : "Cancel"}
            <span className="sr-only">: silence {silence.reason}</span>
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={isAsking}
        title={isActive ? "End this silence now?" : "Cancel this silence?"}
        action={isActive ? "End now" : "Cancel silence"}
        mutation={cancelling}
        failure="The silence was not ended."
        onClose={() => setAsking(false)}
      >
        <p>
          <bdi>{matchersWords(silence.matchers, names)}</bdi>. {isActive ? "Alerts that it matches are sent again." : "It will not start."}{" "}
          This cannot be undone.
        </p>
      </ConfirmDialog>
    </li>
  );
}

function Remaining({ until }: { until: string }) {
  const text = useNow((nowMs) => formatAge(Math.max(0, Date.parse(until) - nowMs)));
  return <span className="tabular-nums">, {text === "now" ? "ending" : `${text} left`}</span>;
}
