import { Link } from "@tanstack/react-router";
import { useId, useRef, useState } from "react";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import type { SilenceCovers } from "../../../api/alert-acts.ts";
import { useServerTime } from "../../../app/server-time.ts";
import { countOf } from "../../../format/number.ts";
import { withLocalTimes } from "../../../format/time.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { silenceProposal } from "../../notifications/search.ts";
import { coversChoices } from "../../silences/covers.ts";
import { presetEnd, PRESETS } from "../../silences/periods.ts";

/** Enter silences for so long. */
const USUAL = "2h";

interface Properties {
  alerts: readonly ShownAlert[];
  onClose: () => void;
  onDone: (until: string, covers: SilenceCovers) => void;
}

/** Asks for how long alerts are silenced, and, of those of a container, whether its others are too. */
export function SilenceForDialog({ alerts, onClose, onDone }: Properties) {
  const serverTime = useServerTime();
  const usual = useRef<HTMLButtonElement>(null);
  const [covers, setCovers] = useState<SilenceCovers>("alert");
  const name = useId();
  const choices = coversChoices(alerts);
  const [first] = alerts;
  const isOne = alerts.length === 1;
  return (
    <Dialog open onClose={onClose} title="Silence" initialFocus={usual}>
      <p dir="auto" className="mb-4 wrap-anywhere text-ink-2">
        {isOne ? withLocalTimes(first?.message ?? "") : countOf(alerts.length, "alert")}
      </p>
      {choices.length > 1 && (
        <fieldset className="mb-4 flex min-w-0 flex-col gap-1">
          <legend className="mb-1 text-xs font-medium text-ink-2">Applies to</legend>
          {choices.map((choice) => (
            <label key={choice.covers} className="flex min-h-8 items-center gap-2 wrap-anywhere max-md:min-h-10">
              <input
                type="radio"
                name={name}
                checked={choice.covers === covers}
                onChange={() => setCovers(choice.covers)}
                className="size-4 shrink-0 accent-accent"
              />
              <bdi>{choice.words}</bdi>
            </label>
          ))}
        </fieldset>
      )}
      <div role="group" aria-label="How long" className="flex flex-wrap gap-2">
        {PRESETS.map(({ key, label }) => (
          <Button
            key={key}
            ref={key === USUAL ? usual : undefined}
            kind={key === USUAL ? "primary" : "plain"}
            onClick={() => {
              const until = new Date(presetEnd(key, serverTime())).toISOString();
              onDone(until, covers);
            }}
          >
            {label}
          </Button>
        ))}
      </div>
      <div className="mt-4 flex gap-2">
        {isOne && first !== undefined && (
          <Link to="/notifications/silences" search={silenceProposal(first)} className={buttonClass("quiet", "-ml-2.5")}>
            More options
          </Link>
        )}
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
