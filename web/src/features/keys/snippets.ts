/** The code that connects a device: a whole program, or for Arduino a function. The user copies it as it is. */

interface Connection {
  origin: string;
  /** The id of the device. */
  id: string;
  key: string;
  /** Where devices connect by MQTT: `mqtt://` or, with TLS, `mqtts://`. Undefined if the server has no MQTT. */
  mqtt?: string | undefined;
}
type Snippet = (connection: Connection) => string;

export const languages = ['curl', 'javascript', 'python', 'arduino', 'mqtt'] as const;
export type Language = (typeof languages)[number];
export const directions = ['send', 'receive'] as const;
export type Direction = (typeof directions)[number];

const urlOf = ({ origin, id }: Connection) => `${origin}/service/resources/${id}/messages`;

/** `client`: one of mosquitto, with the version of the protocol. */
function mosquitto(client: string, { mqtt = '', id, key }: Connection, rest: string): string {
  const { protocol, hostname, port } = new URL(mqtt);
  const hasTls = protocol === 'mqtts:';
  const address = `-h ${hostname.replace(/^\[|\]$/g, '')} -p ${port || (hasTls ? 8883 : 1883)}`;
  return `${client} ${address}${hasTls ? ' --tls-use-os-certs' : ''} -u ${id} -P '${key}' -q 1 ${rest}`;
}

export const snippets: Record<Direction, Record<Language, Snippet>> = {
  send: {
    curl: (of) =>
      `curl -X POST -H 'x-serviceapikey: ${of.key}' -H 'content-type: application/json' ` +
      `-d '{"payload":{"temperature":21.5}}' ${urlOf(of)}`,

    javascript: (of) => `const url = '${urlOf(of)}';
const headers = { 'x-serviceapikey': '${of.key}', 'content-type': 'application/json' };
const body = JSON.stringify({ payload: { temperature: 21.5 } });
const response = await fetch(url, { method: 'POST', headers, body });
console.log(response.status, await response.text());`,

    python: (of) => `import json
from urllib.request import Request, urlopen

url = "${urlOf(of)}"
headers = {"x-serviceapikey": "${of.key}", "content-type": "application/json"}
body = json.dumps({"payload": {"temperature": 21.5}}).encode()
print(urlopen(Request(url, body, headers)).read().decode())`,

    arduino: (of) => `#include <HTTPClient.h>

void sendTemperature(float value) {
  HTTPClient http;
  http.begin("${urlOf(of)}");
  http.addHeader("x-serviceapikey", "${of.key}");
  http.addHeader("content-type", "application/json");
  Serial.println(http.POST("{\\"payload\\":{\\"temperature\\":" + String(value) + "}}"));
  http.end();
}`,

    // Version 5 prints why a message is refused.
    mqtt: (of) => mosquitto('mosquitto_pub -V 5', of, `-t messages -m '{"temperature":21.5}'`),
  },
  receive: {
    curl: (of) => `curl --no-buffer -H 'x-serviceapikey: ${of.key}' -H 'accept: application/x-ndjson' ${urlOf(of)}`,

    javascript: (of) => `const url = '${urlOf(of)}';
const headers = { 'x-serviceapikey': '${of.key}', accept: 'application/x-ndjson' };
const { body } = await fetch(url, { headers });
for await (const lines of body.pipeThrough(new TextDecoderStream())) console.log(lines);`,

    python: (of) => `import json
from urllib.request import Request, urlopen

url = "${urlOf(of)}"
headers = {"x-serviceapikey": "${of.key}", "accept": "application/x-ndjson"}
for line in urlopen(Request(url, headers=headers)):
    if line.strip():
        print(json.loads(line)["payload"], flush=True)`,

    arduino: (of) => `#include <HTTPClient.h>

String since;
void receiveMessages() {
  HTTPClient http;
  const char* position = "last-event-id";
  http.setTimeout(40000);
  http.begin("${urlOf(of)}?wait=30&since=" + since);
  http.addHeader("x-serviceapikey", "${of.key}");
  http.collectHeaders(&position, 1);
  if (http.GET() == 200) Serial.println(http.getString());
  if (http.header("last-event-id") != "") since = http.header("last-event-id");
  http.end();
}`,

    // Version 5 ends when the server says that it stops. This one connects again.
    mqtt: (of) => mosquitto('mosquitto_sub -V mqttv311', of, `-t 'messages/#' -v`),
  },
};
