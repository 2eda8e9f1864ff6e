import { useQuery } from "@tanstack/react-query";
import { activeAlertsQuery } from "../api/alert-queries.ts";
import { isUnattended } from "../format/alert-words.ts";
import { classNames } from "../ui/class-names.ts";
import { useAlertOverlay } from "./alert-acts.ts";

/** How many alerts wait for somebody; nothing while none does. */
export function AlertBadge({ className }: { className?: string }) {
  const { data } = useQuery(activeAlertsQuery);
  const overlay = useAlertOverlay();
  const waiting = data?.alerts.map(overlay).filter(isUnattended) ?? [];
  if (waiting.length === 0) return null;
  const isCritical = waiting.some(({ severity }) => severity === "critical");
  return (
    <span
      className={classNames(
        "inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-full px-1 text-[11px] leading-none font-semibold tabular-nums",
        isCritical ? "bg-down-soft text-down" : "bg-degraded-soft text-degraded",
        className,
      )}
    >
      {waiting.length > 99 ? "99+" : waiting.length}
      <span className="sr-only"> unacknowledged</span>
    </span>
  );
}
