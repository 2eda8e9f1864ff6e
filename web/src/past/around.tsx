import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo } from "react";
import { responsesAroundQuery, usageAroundQuery } from "../api/moment.ts";
import { createCrosshair } from "../charts/crosshair.ts";
import { Section } from "../ui/section.tsx";

// What draws charts is heavy.
const UsageAround = lazy(() => import("../entities/containers/usage-around.tsx").then((module) => ({ default: module.UsageAround })));
const ResponseAround = lazy(() =>
  import("../entities/endpoints/response-around.tsx").then((module) => ({ default: module.ResponseAround })),
);

const WORDS = "The moment shown";
const ROOM = <div className="h-[268px]" />;

/** CPU and memory of a container half an hour before and after a moment, at which the cursor stands. Nothing where nothing is kept, or shown. */
export function UsageThen({ id, at }: { id: number; at: string }) {
  const { data } = useQuery({ ...usageAroundQuery(id, at), retry: false });
  const crosshair = useMemo(() => createCrosshair(Date.parse(at)), [at]);
  if (data === undefined || data.points.length === 0) return null;
  return (
    <Section title="CPU and memory around that moment">
      <Suspense fallback={ROOM}>
        <UsageAround metrics={data} moment={at} words={WORDS} status="idle" crosshair={crosshair} />
      </Suspense>
    </Section>
  );
}

/** How fast an endpoint answered around a moment, in the same way. */
export function ResponsesThen({ id, at }: { id: number; at: string }) {
  const { data } = useQuery({ ...responsesAroundQuery(id, at), retry: false });
  const crosshair = useMemo(() => createCrosshair(Date.parse(at)), [at]);
  if (data === undefined || data.series.checks.every((count) => count === 0)) return null;
  return (
    <Section title="Response time around that moment">
      <Suspense fallback={ROOM}>
        <ResponseAround times={data} moment={at} words={WORDS} status="idle" crosshair={crosshair} />
      </Suspense>
    </Section>
  );
}
