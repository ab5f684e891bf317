// An ExpirationStore forgets objects some time after they were written. Writing an object again
// renews it; reading does not.
import { SimulatedClock } from "listwatch/testing";
import { ExpirationStore } from "listwatch";

interface Token {
  readonly user: string;
  readonly secret: string;
}

// On a simulated clock five minutes pass at once. Without it, real time passes.
const clock = new SimulatedClock();
const keyFunc = (token: Token): string => token.user;
const tokens = new ExpirationStore({ keyFunc, ttlMs: 300_000, clock });

tokens.add({ user: "ada", secret: "a1" });
tokens.add({ user: "ben", secret: "b1" });
await clock.advance(300_000);
console.log("at the time limit:", tokens.getByKey("ada")?.secret);

tokens.update({ user: "ben", secret: "b2" });
await clock.advance(1);
// No timer clears the store: a key is listed until a read finds its expired object.
console.log("keys before a read:", tokens.listKeys().join(" "));
console.log("after it:", tokens.getByKey("ada")?.secret, tokens.getByKey("ben")?.secret);
console.log("keys after a read:", tokens.listKeys().join(" "));

// Instead of a time limit, a function can decide.
const strict = new ExpirationStore({
  keyFunc,
  isExpired: ({ object }) => object.secret === "revoked",
});
strict.replace(
  [
    { user: "ada", secret: "a2" },
    { user: "ben", secret: "revoked" },
  ],
  "7",
);
console.log("not revoked:", strict.list().map(keyFunc).join(" "));
