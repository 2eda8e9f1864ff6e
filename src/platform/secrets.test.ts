import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { looksSecret, MASK, maskKeyLines, maskSecrets } from "./secrets.ts";

describe("hidden by name", () => {
  const names = `
    password DB_PASSWORD POSTGRES_PASSWORD mysqlrootpassword db.password.default dbPassword PGPASSWD htpasswd db.pass DB_PASS smtp.pwd passphrase
    secret client-secret clientSecret AWS_SECRET_ACCESS_KEY token api.token githubToken access_token refresh-token
    apikey api_key api-key API.KEY apiKey x-api-key privateKey private_key AWS_ACCESS_KEY_ID encryptionKey signing_key master-key ssh_key
    homepage.widget.key credentials service.credential.file AUTH basic_auth auth registry/auth
    traefik.http.middlewares.web.basicauth.users traefik.http.middlewares.web.digestauth.users
    traefik.http.middlewares.web.headers.customrequestheaders.Authorization service.endpoint.http.headers service.endpoint.0.http.headers
    cookie session.cookie session-id jwt SENTRY_DSN database.dsn connectionString db_connection_string bearer`;
  for (const name of names.trim().split(/\s+/)) test(name, () => assert.ok(looksSecret(name, "hunter2")));
});

describe("hidden by value", () => {
  const values = [
    "postgres://user:pass@db:5432/app",
    "POSTGRES://user:pass@db/app",
    "redis://:pass@cache",
    "--db=mysql://root:pass@db/app",
    "-----BEGIN PRIVATE KEY-----\nMIIE",
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    "ghp_0123456789abcdef",
    "github_pat_0123456789abcdef",
    "use glpat-0123456789abcdef here",
    "sk-0123456789abcdef",
    "xoxb-0123456789-abcdef",
    "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    "Bearer eyJhbGciOiJIUzI1NiJ9",
    "Basic dXNlcjpwYXNzd29yZA==",
    "admin:$apr1$H6uskkkW$IgXLP6ewTrSuBkTrqE8wj/",
    "admin:$2y$05$abcdefghijklmnopqrstuv",
    "https://hooks.slack.com/services/T0/B0/XXXX",
    "https://discord.com/api/webhooks/1/abc",
    "Server=db;User=sa;Password=hunter2;",
    "https://example.com/hook?token=hunter2",
    '{"Authorization": "hunter2"}',
    "X-Api-Key=hunter2",
  ];
  for (const value of values) test(value, () => assert.ok(looksSecret("com.example.note", value)));
});

describe("shown, since people need to see it", () => {
  const labels: [name: string, value: string][] = [
    ["com.docker.compose.project", "shop"],
    ["com.docker.compose.config-hash", "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"],
    ["com.docker.compose.container-number", "1"],
    ["com.docker.compose.depends_on", "db:service_started:false"],
    ["com.docker.compose.image", "sha256:b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"],
    ["com.docker.compose.project.config_files", "/srv/shop/compose.yaml"],
    ["com.docker.compose.project.working_dir", "/srv/shop"],
    ["com.docker.stack.namespace", "shop"],
    ["com.docker.swarm.task.id", "x1y2z3"],
    ["org.opencontainers.image.authors", "Ada <ada@example.com>"],
    ["org.opencontainers.image.base.digest", "sha256:b5bb9d80"],
    ["org.opencontainers.image.description", "A tiny server. Passes all tests."],
    ["org.opencontainers.image.licenses", "Apache-2.0"],
    ["org.opencontainers.image.source", "https://github.com/example/shop"],
    ["org.opencontainers.image.url", "ssh://git@example.com:22/shop.git"],
    ["org.label-schema.vcs-url", "git@github.com:example/shop.git"],
    ["maintainer", "Ada <ada@example.com>"],
    ["author", "Ada"],
    ["authors", "Ada"],
    ["authority", "example.com"],
    ["keyboard", "qwertz"],
    ["monkey", "banana"],
    ["compass", "north"],
    ["passenger.port", "80"],
    ["bypass", "10.0.0.0/8"],
    ["tokenizer", "cl100k"],
    ["ssh.public_key", "ssh-ed25519 AAAA"],
    ["traefik.enable", "true"],
    ["traefik.http.routers.web.rule", "Host(`example.com`) && PathPrefix(`/api`)"],
    ["traefik.http.routers.auth.rule", "Host(`auth.example.com`)"],
    ["traefik.http.routers.authelia.rule", "Host(`login.example.com`)"],
    ["traefik.http.routers.keycloak.entrypoints", "websecure"],
    ["traefik.http.routers.passbolt.rule", "Host(`p.example.com`)"],
    ["traefik.http.routers.web.middlewares", "auth@file"],
    ["traefik.http.routers.web.tls.certresolver", "letsencrypt"],
    ["traefik.http.middlewares.web.redirectregex.replacement", "https://$1/$2"],
    ["traefik.http.services.web.loadbalancer.sticky.cookie", "true"],
    ["traefik.http.services.web.loadbalancer.sticky.cookie.name", "lb"],
    ["traefik.tcp.routers.db.tls.passthrough", "true"],
    ["com.centurylinklabs.watchtower.enable", "true"],
    ["io.portainer.accesscontrol.teams", "ops"],
    ["io.kubernetes.pod.name", "web-7d9c-x2x"],
    ["app.kubernetes.io/name", "web"],
    ["homepage.href", "https://example.com"],
    ["homepage.widget.url", "http://web:8080"],
    ["service.group", "shop"],
    ["service.alert.channels", "ops"],
    ["service.alert.restart_threshold", "3"],
    ["service.endpoint.http", "http://web:8080/health"],
    ["service.endpoint.tcp", "db:5432"],
    ["service.endpoint.http.expected-status", "200,204"],
    ["service.certificate.domain", "example.com"],
    ["service.update.pin", "1.25"],
    ["service.update.tag-exclude", "-rc"],
    ["use.password", "false"],
    ["password", ""],
  ];
  for (const [name, value] of labels) test(`${name}=${value}`, () => assert.equal(looksSecret(name, value), false));
});

test("a map keeps its names and its harmless values", () => {
  assert.deepEqual(maskSecrets({ "db.password": "hunter2", "com.example.role": "db" }), { "db.password": MASK, "com.example.role": "db" });
});

test("a secret word is found however it is written and wherever it stands", () => {
  const word = fc.constantFrom("password", "secret", "token", "api_key", "apiKey", "credential");
  const filler = fc.stringMatching(/^[a-z0-9._/-]{0,12}$/);
  fc.assert(
    fc.property(filler, word, filler, fc.boolean(), (before, secret, after, loud) => {
      const name = `${before}.${secret}.${after}`;
      assert.ok(looksSecret(loud ? name.toUpperCase() : name, "hunter2"));
    }),
  );
});

for (const [name, text] of Object.entries({
  colons: `a://${":".repeat(1_000_000)}`,
  "begun addresses": "://a:b".repeat(170_000),
  "begun schemes": "a".repeat(1_000_000),
  "begun keys": "-----BEGIN ".repeat(90_000),
  "one endless key": `-----BEGIN ${"PRIVATE KEY".repeat(90_000)}`,
  "begun web tokens": " eyJaaaa.eyJaaaa".repeat(62_500),
  "one endless web token": `eyJ${"a".repeat(1_000_000)}`,
  "spaces after a word": `token${" ".repeat(1_000_000)}`,
  words: "token".repeat(200_000),
  capitals: "aA".repeat(500_000),
})) {
  test(`a megabyte of ${name} is judged at once`, () => {
    const startedMs = performance.now();
    looksSecret("com.example.note", text);
    looksSecret(text, "hunter2");
    assert.ok(performance.now() - startedMs < 10_000);
  });
}

for (const [name, text] of Object.entries({
  "a line of a key": `${"A".repeat(100_000)}!`,
  spaces: `${"A".repeat(16)}${" ".repeat(100_000)}!`,
  "begun keys": "-----BEGIN ".repeat(9_000),
  "ended keys": "-----END ".repeat(11_000),
  "mixed characters": "aA1 ".repeat(25_000),
})) {
  test(`a hundred thousand characters of ${name} before the end of a key are judged at once`, () => {
    const startedMs = performance.now();
    maskKeyLines([text, "-----END PRIVATE KEY-----"]);
    assert.ok(performance.now() - startedMs < 5_000);
  });
}

test("a line of a private key is masked without its neighbours, and what is as long is not", () => {
  const key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
  for (const line of [key, `2026-01-02T03:04:05Z stdout F ${key}  `, `${key.slice(0, 58)}==`])
    assert.deepEqual(maskKeyLines([line]), [MASK], line);
  for (const line of [
    "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c",
    "reading /srv/shop/releases/current/vendor/bundle/ruby/gems/actionpack/lib",
    `${key}${key}`,
    `${key} was read`,
    key.slice(0, 40),
    "",
  ])
    assert.deepEqual(maskKeyLines([line]), [line]);
});

test("a private key is masked on all its lines, with or without its first one", () => {
  const body = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj", "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3S"];
  const [begin, end] = ["-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"];
  assert.deepEqual(maskKeyLines(["loading", begin, ...body, end, "loaded"]), [
    "loading",
    ...Array.from({ length: 5 }, () => MASK),
    "loaded",
  ]);
  assert.deepEqual(maskKeyLines([...body, end, "loaded"]), [MASK, MASK, MASK, MASK, "loaded"]);
  assert.deepEqual(maskKeyLines([begin, ...body]), [MASK, MASK, MASK, MASK], "cut off at its end");
  assert.deepEqual(maskKeyLines(["-----BEGIN PRIVATE KEY----- all on one -----END PRIVATE KEY-----", "next"]).at(1), "next");
  assert.deepEqual(maskKeyLines(["a certificate", "-----BEGIN CERTIFICATE-----", ...body]).at(2), body[0]);
});
