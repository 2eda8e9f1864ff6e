import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ChannelRecord } from "../../../../../src/alerting/channels/answers.ts";
import { deleteChannel, testChannel, updateChannel } from "../../../api/channels.ts";
import { Breadcrumb } from "../../../app/breadcrumb.tsx";
import { Age } from "../../../ui/age.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { ConfirmButton } from "../../../ui/confirm-dialog.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { TestAnswer, TestButton } from "../test-result.tsx";
import { healthOf } from "./health-words.ts";
import { KIND_GUIDES } from "../../../entities/notifications/kind-guides.ts";

/** Which channel, how it is and why, and what can be done with it. */
export function ChannelHeader({ channel }: { channel: ChannelRecord }) {
  const { status, word } = healthOf(channel);
  const { last_delivery_at, last_error, health } = channel;
  return (
    <header>
      <Breadcrumb to="/notifications">Channels</Breadcrumb>
      <div className="mt-1 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h1 className="line-clamp-2 min-w-0 text-[19px] leading-[26px] font-[620] tracking-[-0.012em] wrap-anywhere sm:text-xl">
          <bdi>{channel.name}</bdi>
        </h1>
        <Changed value={word} className="inline-flex items-center gap-2">
          <StatusIcon status={status} />
          {word}
        </Changed>
        <span className="text-ink-2">{KIND_GUIDES[channel.type].name}</span>
      </div>
      <p dir="auto" className="mt-1.5 min-h-5 max-w-[100ch] wrap-anywhere">
        {last_error ?? (health === "untested" ? "Nothing sent yet. Send a test to check that it works." : "")}
        {last_delivery_at !== null && (
          <span className="text-ink-2">
            {last_error !== null && " "}Last delivery <Age at={last_delivery_at} form="ago" />.
          </span>
        )}
      </p>
      <Actions channel={channel} />
    </header>
  );
}

function Actions({ channel: { id, name, enabled } }: { channel: ChannelRecord }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const reread = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["channels"] });
  const test = useMutation({ mutationFn: () => testChannel(id), onSuccess: reread });
  const toggle = useMutation({ mutationFn: () => updateChannel(id, { enabled: !enabled }), onSuccess: reread });
  const removal = useMutation({
    mutationFn: () => deleteChannel(id),
    async onSuccess() {
      await navigate({ to: "/notifications", replace: true });
      await reread();
    },
  });
  return (
    <>
      <div className="mt-3 flex min-h-8 flex-wrap items-center gap-2">
        <TestButton test={test} of={name} />
        <Link to="/notifications/channels/$id" params={{ id }} search={{ edit: "yes" }} resetScroll={false} className={buttonClass()}>
          Edit
        </Link>
        <Button disabled={toggle.isPending} onClick={() => toggle.mutate()}>
          {enabled ? "Disable" : "Enable"}
        </Button>
        <ConfirmButton label="Delete" title={`Delete ${name}?`} action="Delete channel" mutation={removal} failure="It was not deleted.">
          <p>It receives no more alerts and its rules are deleted. This cannot be undone. To pause it, disable it.</p>
        </ConfirmButton>
      </div>
      <TestAnswer test={test} />
      {toggle.isError && <ErrorNote what={enabled ? "It was not disabled." : "It was not enabled."} error={toggle.error} />}
    </>
  );
}
