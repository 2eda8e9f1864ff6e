import { useMutation, useQuery } from "@tanstack/react-query";
import { endAllSessions, goToLogin, leaveForLogin, sessionQuery } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/confirm-dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";

/** How this browser was let in, and how to log out. */
export function SessionSection() {
  const { data, error, refetch } = useQuery(sessionQuery);
  return (
    <Section title="Access">
      {error !== null && <ErrorNote what="Could not load your session." error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows count={2} label="Loading your session" />}
      {data?.kind === "anyone" && (
        <p className="max-w-[72ch] py-3 text-ink-2">
          No admin token is set: anyone who can reach this address can change everything. Set SERVICE_ADMIN_TOKEN to require login.
        </p>
      )}
      {data?.kind === "admin_token" && <p className="py-3 text-ink-2">Your requests use the admin token.</p>}
      {data?.kind === "session" && (
        <>
          <p className="max-w-[72ch] pt-3 text-ink-2">
            You are logged in.
            {data.ends_at !== null && (
              <>
                {" If unused, this session expires "}
                <Timestamp at={data.ends_at} precision="minute" />.
              </>
            )}
          </p>
          <div className="flex flex-wrap gap-2 py-3">
            <form method="post" action="/logout" onSubmit={leaveForLogin}>
              <Button type="submit">Log out</Button>
            </form>
            <EndAll />
          </div>
        </>
      )}
    </Section>
  );
}

function EndAll() {
  const ending = useMutation({ mutationFn: endAllSessions, onSuccess: goToLogin });
  return (
    <>
      <ConfirmButton
        label="Log out everywhere"
        title="Log out everywhere?"
        action="Log out everywhere"
        mutation={ending}
        failure="Could not end the sessions."
      >
        <p>All browsers must log in again, including this one. Programs using the admin token and connected assistants stay connected.</p>
      </ConfirmButton>
    </>
  );
}
