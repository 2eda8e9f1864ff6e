import { TriangleAlert } from "lucide-react";
import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import { countOf } from "../../format/number.ts";
import { Tooltip } from "../../ui/tooltip.tsx";

/** A mark for invalid labels: which ones, and why. */
export function LabelErrors({ errors }: { errors: ContainerRecord["label_errors"] }) {
  const summary = countOf(errors.length, "invalid label", "invalid labels");
  return (
    <Tooltip
      text={
        <>
          <p className="font-medium">{summary}</p>
          {errors.map(({ label, message }) => (
            <p key={label} dir="auto" className="mt-1">
              <code className="font-mono">{label}</code>: {message}
            </p>
          ))}
        </>
      }
    >
      <button type="button" aria-label={summary} className="relative shrink-0 rounded text-degraded">
        <TriangleAlert size={14} aria-hidden />
      </button>
    </Tooltip>
  );
}
