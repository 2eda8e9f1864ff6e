import { useQuery } from "@tanstack/react-query";
import { activeAlertsQuery } from "../api/alert-queries.ts";
import { isWaiting } from "../format/alert-words.ts";
import { alertImpact } from "../format/impact.ts";
import { classNames } from "../ui/class-names.ts";
import { useAlertOverlay } from "./alert-acts.ts";
import { useMoment } from "./moment.ts";

/** How many outages and degraded things wait for somebody; nothing while none does, and while the app shows the past. Posture and notices are not counted. */
export function AlertBadge({ className }: { className?: string }) {
  const { data } = useQuery(activeAlertsQuery);
  const overlay = useAlertOverlay();
  const waiting = data?.alerts.map(overlay).filter(isWaiting) ?? [];
  const isPast = useMoment() !== undefined;
  if (waiting.length === 0 || isPast) return null;
  const isOutage = waiting.some((alert) => alertImpact(alert) === "outage");
  return (
    <span
      className={classNames(
        "inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-full px-1 text-[11px] leading-none font-semibold tabular-nums",
        isOutage ? "bg-down-soft text-down" : "bg-degraded-soft text-degraded",
        className,
      )}
    >
      {waiting.length > 99 ? "99+" : waiting.length}
      <span className="sr-only"> unacknowledged</span>
    </span>
  );
}
