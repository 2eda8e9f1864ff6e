import { useNavigate } from "@tanstack/react-router";
import { BellOff } from "lucide-react";
import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import type { SilenceCovers } from "../../api/alert-acts.ts";
import { useServerTime } from "../../app/server-time.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { silenceProposal } from "../notifications/search.ts";
import { coversChoices } from "./covers.ts";
import { presetEnd, PRESETS } from "./periods.ts";

interface Properties {
  alert: ShownAlert;
  onSilence: (until: string, covers: SilenceCovers) => void;
  className?: string;
}

/** Silences one alert, or all of its container, for one of the usual lengths, or opens the form. */
export function SilenceMenu({ alert, onSilence, className }: Properties) {
  const navigate = useNavigate();
  const serverTime = useServerTime();
  const rows = [
    ...coversChoices([alert]).flatMap(({ covers, words }) =>
      PRESETS.map(({ key, label }) => ({
        key: `${covers} ${key}`,
        label,
        part: words,
        run() {
          const until = new Date(presetEnd(key, serverTime())).toISOString();
          onSilence(until, covers);
        },
      })),
    ),
    {
      key: "form",
      label: "More options",
      run: () =>
        void navigate({
          to: "/notifications/silences",
          search: silenceProposal(alert),
        }),
    },
  ];
  return (
    <Menu
      align="end"
      rows={rows}
      trigger={
        <button type="button" className={buttonClass("quiet", className)} title="Silence (s)">
          <BellOff size={16} aria-hidden className="md:hidden" />
          <span className="max-md:sr-only">Silence</span>
          <span className="sr-only">: {alert.message}</span>
        </button>
      }
    />
  );
}
