import type { PolicyRecord } from "../../../../../src/alerting/escalation/api.ts";
import { secondsWords } from "../../../format/schedule.ts";
import { delayWords } from "./overlap-words.ts";

/** The levels of a policy along a line: when, and whom; from top to bottom on a phone. */
export function Timeline({ levels, channelName }: { levels: PolicyRecord["levels"]; channelName: (id: number) => string }) {
  return (
    <ol className="mt-2 flex max-md:flex-col" aria-label="Levels">
      {levels.map(({ delay_seconds, channel_ids }, index) => (
        <li
          key={index}
          className="relative max-w-56 min-w-24 pr-6 max-md:max-w-none max-md:pb-2 max-md:pl-5 md:flex-1 md:pt-4 before:absolute before:bg-line-strong last:before:hidden max-md:before:top-3 max-md:before:bottom-0 max-md:before:left-[4px] max-md:before:w-px md:before:top-[4px] md:before:right-0 md:before:left-2 md:before:h-px"
        >
          <span aria-hidden className="absolute left-0 size-[9px] rounded-full border-2 border-accent bg-bg max-md:top-[5px] md:top-0" />
          <p className="text-xs text-ink-2 tabular-nums">{delayWords(secondsWords(delay_seconds))}</p>
          <p className="wrap-anywhere">
            <bdi>{channel_ids.map(channelName).join(", ")}</bdi>
          </p>
        </li>
      ))}
    </ol>
  );
}
