import { TriangleAlert } from "lucide-react";
import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import { countOf } from "../../format/number.ts";
import { Tooltip } from "../../ui/tooltip.tsx";

/** A mark that labels were not understood, which ones and why. */
export function LabelErrors({ errors }: { errors: ContainerRecord["label_errors"] }) {
  const summary = countOf(errors.length, "label was not understood", "labels were not understood");
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
