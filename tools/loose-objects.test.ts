import assert from "node:assert/strict";
import { it } from "node:test";
import { z } from "zod";
import { refuseLooseObjects } from "./loose-objects.ts";

const refuse = (body: z.ZodType): void => refuseLooseObjects({ method: "POST", path: "/api/v1/x", body });

it("bodies must refuse unknown keys, however deep", () => {
  const loose: z.ZodType[] = [
    z.object({ a: z.string() }),
    z.strictObject({ a: z.array(z.object({ b: z.string() })).optional() }),
    z.union([z.strictObject({}), z.object({})]),
    z.strictObject({ a: z.lazy(() => z.object({})) }),
    z.record(z.string(), z.object({})),
  ];
  for (const body of loose) assert.throws(() => refuse(body), /POST \/api\/v1\/x: objects in its body must be z.strictObject/);
});

it("bodies may say what becomes of other keys", () => {
  refuse(z.looseObject({ a: z.string() }));
  refuseLooseObjects({ method: "GET", path: "/api/v1/x" });
});
