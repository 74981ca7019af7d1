// What moves on the page: plots, tables, and the interval that is selected in all of them.
"use strict";

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

// element makes an element with text or children. What comes from the capture is only ever text.
function element(name, attributes = {}, ...children) {
	const e = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
	e.append(...children);
	return e;
}

const grouped = new Intl.NumberFormat("en").format;
// seconds is a time since the capture began; after a day, that of the calendar in UTC.
const day = 86400;
function seconds(s) {
	if (s <= day) return s.toFixed(6);
	const us = data.begin + Math.round(s * 1e6);
	return new Date(Math.floor(us / 1e3)).toISOString().slice(0, -1).replace("T", " ") + String(us % 1e3).padStart(3, "0");
}
const moment = s => seconds(s) + (s <= day ? " s" : " UTC");
const tick = s => s <= day ? Number(s.toPrecision(9)) + " s" : interval.to - interval.from > day ? seconds(s).slice(5, 16) : seconds(s).slice(11).replace(/\.?0+$/, "");
function duration(s) {
	const [unit, scale] = [["s", 1], ["ms", 1e-3], ["us", 1e-6]].find(u => s >= u[1]) ?? ["ns", 1e-9];
	return Number((s / scale).toPrecision(3)) + " " + unit;
}
function quantity(n, of = "") {
	const [unit, scale] = [["G", 1e9], ["M", 1e6], ["k", 1e3]].find(u => Math.abs(n) >= u[1]) ?? ["", 1];
	return `${Number((n / scale).toPrecision(3))} ${unit}${of}`.trim();
}

const color = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
// The colours of Okabe and Ito, which people who see fewer colours can tell apart too.
const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a"];
const few = 10; // fewer messages or requests are spikes and points, and no course
const sides = ["client", "server"];
const kinds = ["read", "atomic"];

let data; // what the page holds
const interval = { from: 0, to: 1 }; // that is selected, in seconds since the capture began
const views = new Set(); // what shows the interval: functions

async function unpack(text) {
	const letters = atob(text);
	const octets = new Uint8Array(letters.length);
	for (let i = 0; i < octets.length; i++) octets[i] = letters.charCodeAt(i);
	const stream = new DecompressionStream("gzip");
	const writer = stream.writable.getWriter();
	writer.write(octets);
	writer.close();
	return JSON.parse(await new Response(stream.readable).text());
}

// select selects an interval everywhere.
function select(from, to) {
	const end = data.end / 1e9;
	if (!(to > from)) [from, to] = [0, end];
	interval.from = Math.max(0, from);
	interval.to = Math.min(end, to);
	const all = whole();
	$("#selection").hidden = all;
	$("#selection span").textContent = `Selected: ${moment(interval.from)} to ${moment(interval.to)}, ${duration(interval.to - interval.from)}.`;
	for (const row of $$(".row[data-t]")) row.classList.toggle("outside", !all && !within(row.dataset.t / 1e9));
	for (const show of views) show();
}
const whole = () => interval.from === 0 && interval.to === data.end / 1e9;
const within = s => s >= interval.from && s <= interval.to;

// read makes rows of the columns of messages or requests; times are in seconds.
function rows(columns) {
	const all = Array.from(columns.time ?? [], () => ({}));
	for (const key in columns) {
		const word = ["name", "class", "upper", "outcome", "result", "faults"].includes(key);
		const values = columns[key];
		for (let i = 0; i < all.length; i++) all[i][key] = word ? data.words[values[i]] : values[i];
	}
	let at = 0;
	for (const row of all) {
		row.time = (at += row.time) / 1e9;
		row.took = row.took < 0 ? null : row.took / 1e9;
	}
	return all;
}

// ---- Plots

// A plot is a canvas with a heading, and a table of what it shows. series() gives {x, lines: [{label, color, values}]} for the interval. A bent
// axis is linear near zero and logarithmic beyond.
function plot(place, c, { title, about, unit, series, overTime = true, log = false, bent = false, points = false, stepped = false }) {
	const box = element("div", { class: "plot", tabindex: 0, role: "group", "aria-label": title });
	const canvas = element("div");
	const values = element("table", { class: "values" });
	const table = element("details", {}, element("summary", {}, "The same as a table"), element("div", { class: "wide" }, values));
	box.append(element("p", {}, title, element("small", {}, about)), canvas, table);
	place.append(box);

	let u, now;
	const axis = { stroke: color("soft"), grid: { stroke: color("rule"), width: 1 }, ticks: { stroke: color("rule") }, font: "11px system-ui" };
	const options = {
		width: box.clientWidth, height: 190,
		scales: {
			x: overTime ? { time: false, range: () => [interval.from, interval.to] } : { time: false, distr: 3 },
			y: log ? { distr: 3 } : bent ? { distr: 4, range: (_, low, high) => [0, high * 1.3] } : { range: (_, low, high) => [Math.min(0, low * 1.05), Math.max(high * 1.05, overTime ? 1e-9 : 1)] },
		},
		axes: [
			{ ...axis, values: (_, ticks) => ticks.map(s => s === null ? "" : overTime ? tick(s) : duration(s)), ...(overTime && data.end / 1e9 > day && { space: 110 }) },
			{ ...axis, size: 74, ...(bent && { filter: (_, ticks) => ticks, splits: (_, axis, low, high) => labelled(now.limits).filter(v => v <= high) }), values: (_, ticks) => ticks.map(v => v === null ? "" : unit(Math.abs(v))) },
		],
		cursor: {
			drag: { x: overTime, y: false, setScale: false },
			...(overTime && { sync: { key: "time" }, bind: { dblclick: () => () => select() } }),
		},
		legend: { markers: { dash: (u, i) => !u.series[i].dash ? "solid" : u.series[i].dash.includes(2) ? "dotted" : "dashed" } },
		hooks: {
			drawClear: [() => overTime && bands(u, c.stalls)],
			setSelect: [() => {
				if (u.select.width > 2) select(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x"));
				u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
			}],
		},
	};
	const draw = () => {
		now = series();
		const shape = now.lines.map(l => l.label).join();
		if (u && u.shape === shape) {
			u.setData([now.x, ...now.lines.map(l => l.values)]);
		} else {
			u?.destroy();
			const x = { label: overTime ? "time" : "latency", value: (_, v) => v === null ? "" : overTime ? moment(v) : duration(v) };
			const lines = now.lines.map(l => ({
				label: l.label, stroke: l.color, width: 1.5, dash: l.dash, fill: l.fill && l.color + l.fill, spanGaps: !points,
				value: (_, v) => v === null ? "" : unit(Math.abs(v)), points: { show: points, size: 5, fill: l.color },
				...(points ? { paths: () => null } : stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
			}));
			u = new uPlot({ ...options, series: [x, ...lines] }, [now.x, ...now.lines.map(l => l.values)], canvas);
			u.shape = shape;
		}
		if (table.open) fill();
	};
	// fill fills the table with the first rows of what is shown.
	const fill = () => {
		const most = 200;
		const head = element("tr", {}, element("th", { scope: "col" }, overTime ? "time" : "latency"), ...now.lines.map(l => element("th", { scope: "col" }, l.label)));
		const body = [];
		for (let i = 0; i < now.x.length && body.length < most; i++) {
			const cells = now.lines.map(l => l.values[i]);
			if (overTime && !within(now.x[i]) || !cells.some(v => v)) continue;
			body.push(element("tr", {}, element("th", { scope: "row" }, overTime ? moment(now.x[i]) : duration(now.x[i])),
				...cells.map(v => element("td", {}, v == null ? "" : unit(Math.abs(v))))));
		}
		if (body.length === most) body.push(element("tr", {}, element("td", { colspan: 9 }, "The first " + most + " rows; select a shorter interval for the rest.")));
		values.replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
	};
	table.addEventListener("toggle", () => table.open && fill());
	box.addEventListener("keydown", e => {
		const width = interval.to - interval.from;
		const moves = { ArrowLeft: [-.2, -.2], ArrowRight: [.2, .2], "+": [.25, -.25], "-": [-.5, .5] };
		const move = overTime && e.target === box && moves[e.key];
		if (!move) return;
		e.preventDefault();
		let [from, to] = move.map((by, i) => [interval.from, interval.to][i] + by * width);
		if (move[0] === move[1] && (from < 0 || to > data.end / 1e9)) [from, to] = from < 0 ? [0, width] : [data.end / 1e9 - width, data.end / 1e9];
		select(from, to);
	});
	new ResizeObserver(() => requestAnimationFrame(() => u && u.width !== box.clientWidth && u.setSize({ width: box.clientWidth, height: 190 }))).observe(box);
	draw();
	views.add(draw);
	return () => { u?.destroy(); views.delete(draw); };
}

// labelled are the places of labels on a bent axis: limits, and those that are not too near to one.
function labelled(limits) {
	const others = [0, 1, 3, 10, 30, 100, 300, 1e3, 1e4, 1e5].filter(v => limits.every(l => v < l / 1.5 || v > l * 1.5));
	return [...new Set([...others, ...limits])].sort((a, b) => a - b);
}

// bands draws the silences that requests waited through.
function bands(u, stalls) {
	u.ctx.save();
	u.ctx.fillStyle = color("stall");
	for (const [from, to] of stalls) {
		const left = Math.max(u.valToPos(from / 1e9, "x", true), u.bbox.left);
		const right = Math.min(u.valToPos(to / 1e9, "x", true), u.bbox.left + u.bbox.width);
		if (right > left) u.ctx.fillRect(left, u.bbox.top, right - left, u.bbox.height);
	}
	u.ctx.restore();
}

// level is the finest of a connection that does not have too many intervals in the one that is selected.
function level(c) {
	const most = 1500;
	return c.levels.find(l => (interval.to - interval.from) * 1e9 / l.step <= most) ?? c.levels.at(-1);
}
const starts = (l, n) => Array.from({ length: n }, (_, i) => (l.start + i * l.step) / 1e9);

function throughput(c) {
	const l = level(c);
	const n = l.series[0]?.values.length ?? 0;
	const dashes = [[undefined, [2, 3]], [[8, 4], [8, 3, 2, 3]]]; // of each side, for messages of one colour
	const nth = (s, i) => l.series.slice(0, i).filter(o => o.dir === s.dir && o.class === s.class).length;
	const lines = l.series.map((s, i) => ({
		label: `${sides[s.dir]} ${data.words[s.name]}`, color: color(data.words[s.class]), fill: s.dir ? "20" : "50", dash: dashes[s.dir][nth(s, i) % 2],
		values: s.values.map(v => v * 1e9 / l.step * (s.dir ? -1 : 1)),
	}));
	return { x: starts(l, n), lines };
}

// steps makes a line that changes by some amount at some times: [[time, change]...].
function steps(changes) {
	changes.sort((a, b) => a[0] - b[0]);
	let level = 0;
	return [changes.map(c => c[0]), changes.map(c => level += c[1])];
}

// outstanding is how many requests were open, and what limits them.
function outstanding(c, upper) {
	const tables = [], lines = [], limits = [];
	for (const dir of [0, 1]) {
		const asked = c.requests.filter(r => r.dir === dir && (r.kind === 2) === upper);
		const l = level(c);
		if (!l.open[+upper][dir].some(v => v > 0) || c.whole && asked.length < 2 && !c.stalls.length) continue; // one request is no course
		tables.push(c.whole ? steps(asked.flatMap(r => [[r.time, 1], [r.time + r.until / 1e9, -1]])) : [starts(l, l.open[+upper][dir].length), l.open[+upper][dir]]);
		lines.push({ label: `${sides[dir]} requests` + (c.whole ? "" : ", on average"), color: palette[dir] });
		if (!upper && c.limit[dir] >= 0) {
			limits.push(c.limit[dir]);
			tables.push([[0, data.end / 1e9], [c.limit[dir], c.limit[dir]]]);
			lines.push({ label: `${sides[dir]} limit`, color: palette[dir], dash: [8, 4] });
		}
		for (const [key, at, words] of [["asked", r => r.time, "asked for"], ["granted", r => r.time + r.until / 1e9, "granted"]]) {
			const told = asked.filter(r => r[key] > 0).map(r => [at(r), r[key]]).sort((a, b) => a[0] - b[0]);
			if (!told.length) continue;
			tables.push([told.map(t => t[0]), told.map(t => t[1])]);
			lines.push({ label: `${sides[dir]} credits ${words}`, color: palette[key === "asked" ? 3 : 2], dash: key === "asked" ? [2, 3] : [8, 4] });
		}
	}
	if (!lines.length) return { x: [], lines, limits };
	const [x, ...values] = uPlot.join(tables.map(distinct));
	return { x, limits, lines: lines.map((l, i) => ({ ...l, values: carried(values[i]) })) };
}

// distinct keeps the last of the values at one time.
function distinct([x, y]) {
	const keep = x.map((_, i) => i === x.length - 1 || x[i + 1] !== x[i]);
	return [x.filter((_, i) => keep[i]), y.filter((_, i) => keep[i])];
}

// carried goes on with the latest value where there is none.
function carried(values) {
	let latest = null;
	return values.map(v => latest = v ?? latest);
}

const operation = r => kinds[r.kind] ?? r.name; // as in the table of operations

// operations are the names of the most frequent ones; "others" stands for the rest.
function operations(c) {
	const most = palette.length - 1;
	const names = c.latencies.filter(l => l.sampled).map(l => data.words[l.name]);
	return { names: names.length > most + 1 ? [...names.slice(0, most), "others"] : names, of: r => names.indexOf(operation(r)) < most ? operation(r) : names.length > most + 1 ? "others" : operation(r) };
}

function latencies(c) {
	const { names, of } = operations(c);
	const timed = c.requests.filter(r => r.took !== null).sort((a, b) => a.time - b.time);
	const lines = names.map((name, i) => ({ label: name, color: palette[i], values: timed.map(r => of(r) === name ? Math.max(r.took, 1e-9) : null) }));
	return { x: timed.map(r => r.time), lines };
}

// distribution is which part of the requests took at most how long: of those in the interval, if the page has all of them.
function distribution(c) {
	const { names, of } = operations(c);
	const lines = [], tables = [];
	for (const [i, name] of names.entries()) {
		let curve = c.latencies.find(l => data.words[l.name] === name)?.sampled?.map(([percent, took]) => [took, percent]);
		if (c.whole) {
			const took = c.requests.filter(r => r.took !== null && of(r) === name && within(r.time)).map(r => r.took).sort((a, b) => a - b);
			if (took.length < few) continue;
			const n = Math.min(took.length, 200);
			curve = Array.from({ length: n }, (_, k) => Math.ceil((k + 1) / n * took.length)).map(rank => [took[rank - 1], rank / took.length * 100]);
		}
		const table = curve && distinct([curve.map(p => Math.max(p[0], 1e-9)), curve.map(p => p[1])]);
		if (!(table?.[0].length > 1)) continue; // one point makes no curve
		tables.push(table);
		lines.push({ label: name, color: palette[i], dash: [undefined, [8, 4], [2, 3], [8, 3, 2, 3]][i % 4] });
	}
	if (!lines.length) return { x: [], lines };
	const [x, ...values] = uPlot.join(tables);
	return { x, lines: lines.map((l, i) => ({ ...l, values: values[i] })) };
}

// ---- Distributions

// bars shows a histogram: [[name, count]...].
function bars(place, all) {
	const most = Math.max(1, ...all.map(b => b[1]));
	const svg = "http://www.w3.org/2000/svg";
	place.replaceChildren(...all.map(([name, n]) => {
		const drawing = document.createElementNS(svg, "svg"), rect = document.createElementNS(svg, "rect");
		for (const [key, value] of [["viewBox", "0 0 100 10"], ["preserveAspectRatio", "none"], ["aria-hidden", true]]) drawing.setAttribute(key, value);
		for (const [key, value] of [["width", n / most * 100], ["height", 10]]) rect.setAttribute(key, value);
		drawing.append(rect);
		return element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, grouped(n)), element("td", { class: "bar" }, drawing));
	}));
}

// between names lengths from one to another.
const between = (from, to) => from === to ? grouped(from) : `${grouped(from)} to ${grouped(to)}`;

// lengths counts lengths of messages (0) or FPDUs (1) in the intervals that the selected one touches.
function lengths(c, of) {
	const counts = new Map();
	for (const [what, bits, at, n] of c.lengths) {
		const from = (c.start + at * c.step) / 1e9;
		if (what === of && from + c.step / 1e9 > interval.from && from <= interval.to) counts.set(bits, (counts.get(bits) ?? 0) + n);
	}
	return [...counts].sort((a, b) => a[0] - b[0]).map(([bits, n]) => [between(bits && 2 ** (bits - 1), 2 ** bits - 1), n]);
}

// latencyBars counts times, in seconds, up to 1, 2 and 5 times powers of ten.
function latencyBars(all) {
	const counts = new Map();
	for (const s of all) {
		const ten = 10 ** Math.floor(Math.log10(Math.max(s, 1e-9)) + 1e-9);
		const upTo = [1, 2, 5, 10].map(n => n * ten).find(v => s <= v * (1 + 1e-9)) ?? 10 * ten;
		counts.set(upTo, (counts.get(upTo) ?? 0) + 1);
	}
	return [...counts].sort((a, b) => a[0] - b[0]).map(([upTo, n]) => ["up to " + duration(upTo), n]);
}

// distributions makes tables and histograms of a connection follow the interval, as far as the page has what they count. It returns
// what stops that.
function distributions(section, c) {
	const tables = $$("[data-lengths] tbody, [data-latency] tbody, [data-table] tbody", section).map(body => {
		const { lengths: of, latency: name } = body.closest("div[data-lengths], div[data-latency], table[data-table]").dataset;
		return { body, of, name, first: [...body.rows] };
	});
	const show = () => {
		const asked = whole() ? [] : c.requests.filter(r => within(r.time));
		for (const { body, of, name, first } of tables) {
			if (whole()) body.replaceChildren(...first);
			else if (of !== undefined) bars(body, lengths(c, Number(of)));
			else if (!c.whole) continue; // it is about all, which the remark says
			else if (name !== undefined) bars(body, latencyBars(asked.filter(r => operation(r) === name && r.took !== null).map(r => r.took)));
			else body.replaceChildren(...first.map(row => operationRow(row, asked)));
		}
		for (const e of $$(".all-of-it", section)) e.hidden = whole() || c.whole;
	};
	show();
	views.add(show);
	return () => views.delete(show);
}

// operationRow is a row of the table of operations for some requests.
function operationRow(row, asked) {
	const name = row.cells[0].textContent;
	const of = asked.filter(r => operation(r) === name);
	const took = of.map(r => r.took).filter(t => t !== null).sort((a, b) => a - b);
	const at = percent => took.length ? duration(took[Math.max(Math.ceil(took.length * percent / 100), 1) - 1]) : "";
	const counts = [of.length, of.filter(r => r.outcome === "answered").length, of.filter(r => r.failed).length];
	return element("tr", {}, element("th", { scope: "row" }, name), ...[...counts.map(grouped), at(50), at(90), at(99), at(100)].map(v => element("td", {}, v)));
}

// plots draws all plots of a connection. It returns what removes them.
function plots(section, c) {
	const place = $(".plots", section);
	const remove = [];
	const add = (where, options) => {
		const { x, lines } = options.series();
		if (x.length > 1 && lines.length) remove.push(plot(where, c, options));
	};
	place.parentElement.hidden = false;
	if (c.messages.filter(m => m.octets).length >= few || !c.whole) add(place, { title: "Throughput of ULP payload", about: "client up, server down", unit: v => quantity(v, "B/s"), series: () => throughput(c), stepped: true });
	add(place, { title: "Latency of requests", about: "at the time of the request", unit: duration, series: () => latencies(c), log: true, points: true });
	add(place, { title: "Reads and Atomics outstanding", about: "against what was negotiated", unit: v => quantity(v), series: () => outstanding(c, false), stepped: true, bent: true });
	add(place, { title: "Requests of the upper layer outstanding", about: c.requests.some(r => r.asked || r.granted) ? "against credits" : "", unit: v => quantity(v), series: () => outstanding(c, true), stepped: true, bent: true });
	const curves = $(".ecdf", section);
	if (curves) add(curves, { title: "Part of the requests that took at most so long", about: "in the selected interval, if the page has all", unit: v => v.toFixed(0) + " %", series: () => distribution(c), overTime: false });
	remove.push(distributions(section, c));
	place.parentElement.hidden = !place.childElementCount;
	return () => { remove.forEach(f => f()); place.replaceChildren(); curves?.replaceChildren(); };
}

// ---- Tables

// frame is the number of the first frame, without the name of its file.
const frame = r => Number(/(?<![^:])\d+/.exec(r.frames));

const tables = {
	messages: [
		["Time", r => r.time, seconds], ["From", r => sides[r.dir]], ["Message", r => r.name], ["Octets", r => r.octets, grouped],
		["Frames", r => r.frames, undefined, frame], ["Upper layer", r => r.upper], ["Fields", r => r.fields.trim()], ["Took", r => r.took, duration], ["Findings", r => r.faults],
	],
	requests: [
		["Time", r => r.time, seconds], ["From", r => sides[r.dir]], ["Request", r => r.name], ["ID", r => r.id, n => "0x" + n.toString(16)], ["Octets", r => r.octets, grouped],
		["Outcome", r => r.outcome], ["Result", r => r.result], ["Took", r => r.took, duration], ["Frames", r => r.frames, undefined, frame],
	],
};

// ofSeveral are the columns of rows of several connections.
const ofSeveral = columns => [["Connection", r => r.conn, n => "#" + n], ...columns];

// list shows rows in a table that can be searched and sorted. Only the rows that can be seen are in the document.
function list(place, columns, all) {
	const height = 22, short = all.length <= 200; // all rows of a short list are in the document, and break
	const text = (r, [, value, form]) => { const v = value(r); return v === null || v === undefined ? "" : form ? form(v) : String(v); };
	columns = columns.filter(c => !all.length || all.some(r => text(r, c)));
	const find = element("input", { type: "search", "aria-label": "Search", placeholder: "Search" });
	const count = element("span", { role: "status" });
	const body = element("tbody");
	const heads = columns.map(([name, , form], i) => {
		const button = element("button", { type: "button" }, name);
		button.addEventListener("click", () => { order = [i, order[0] === i ? -order[1] : 1]; update(); });
		return element("th", form ? { scope: "col", class: "number" } : { scope: "col" }, button);
	});
	const scroll = element("div", { class: short ? "rows short" : "rows", tabindex: 0 }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body));
	place.append(element("div", { class: "search" }, element("label", {}, find), count), scroll);

	let order = [columns.findIndex(c => c[0] === "Time"), 1], shown = all;
	const words = r => r.words ??= columns.map(c => text(r, c)).join(" ").toLowerCase();
	const draw = () => {
		const first = short ? 0 : Math.max(0, Math.floor(scroll.scrollTop / height) - 10);
		const last = short ? shown.length : Math.min(shown.length, first + Math.ceil((scroll.clientHeight || 400) / height) + 20);
		const spacer = n => element("tr", { class: "spacer", "aria-hidden": true }, Object.assign(element("td", { colspan: columns.length }), { height: n * height }));
		scroll.classList.toggle("cut", last - first < shown.length);
		body.replaceChildren(spacer(first), ...shown.slice(first, last).map(r => element("tr", r.worst > 0 || r.outcome && !["answered", "waiting"].includes(r.outcome) ? { class: "bad" } : {},
			...columns.map(c => {
				const cell = element("td", { class: c[2] ? "number" : c[0].toLowerCase() });
				if (c[0] === "Message") cell.append(element("span", { class: "key " + r.class }));
				cell.append(text(r, c));
				return cell;
			}))), spacer(shown.length - last));
	};
	const update = () => {
		const wanted = find.value.toLowerCase().split(/\s+/).filter(Boolean);
		const [by, sign] = order, value = columns[by][3] ?? columns[by][1];
		const has = (r, w) => w[0] === "#" && r.conn !== undefined ? w === "#" + r.conn : words(r).includes(w);
		shown = all.filter(r => (whole() || within(r.time)) && wanted.every(w => has(r, w)));
		if (columns[by][0] !== "Time" || sign < 0) shown.sort((a, b) => { const [x, y] = [value(a) ?? -1, value(b) ?? -1]; return sign * (x < y ? -1 : x > y ? 1 : 0); });
		heads.forEach((h, i) => i === by ? h.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending") : h.removeAttribute("aria-sort"));
		count.textContent = shown.length === all.length ? grouped(all.length) : `${grouped(shown.length)} of ${grouped(all.length)}`;
		scroll.scrollTop = 0;
		draw();
	};
	find.addEventListener("input", update);
	scroll.addEventListener("scroll", () => requestAnimationFrame(draw));
	views.add(update);
	update();
}

// ---- The page

async function begin() {
	const { connections, shared, others } = await unpack($("#data").textContent);
	data = shared;
	interval.to = data.end / 1e9;
	const sections = new Map($$("section").map(s => [s, connections.find(c => c.conn === Number(s.dataset.conn)) ?? others]));
	const drawn = new Map();
	const draw = section => {
		const c = sections.get(section);
		if (drawn.has(section)) return;
		if (!Array.isArray(c.messages)) [c.messages, c.requests] = [rows(c.messages), rows(c.requests)];
		drawn.set(section, c === others ? () => {} : plots(section, c));
		for (const place of $$(".list:empty", section)) {
			const columns = tables[place.dataset.list], all = c[place.dataset.list];
			list(place, c === others ? ofSeveral(columns) : columns, c === others ? all.sort((a, b) => a.time - b.time) : all);
		}
		performance.mark("drawn");
	};
	const seen = new IntersectionObserver(all => all.forEach(e => e.isIntersecting && draw(e.target)), { rootMargin: "400px" });
	for (const section of sections.keys()) seen.observe(section);
	const atOnce = 4; // a browser without a screen may never say what is seen
	for (const section of $$("main > section").slice(0, atOnce)) setTimeout(draw, 0, section);
	addEventListener("beforeprint", () => {
		for (const fold of $$(".alike, .more")) fold.open = true;
		[...sections.keys()].forEach(draw);
	});
	const reveal = () => {
		const target = document.getElementById(location.hash.slice(1)), fold = target?.closest(".alike:not([open])");
		if (!fold) return;
		fold.open = true;
		target.scrollIntoView();
	};
	for (const card of $$("[data-of]")) card.addEventListener("click", () => {
		draw($("#others"));
		for (const find of $$("#others input")) {
			find.value = "#" + card.dataset.of;
			find.dispatchEvent(new Event("input"));
		}
	});
	addEventListener("hashchange", reveal);
	reveal();
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
		for (const [section, remove] of [...drawn]) {
			remove();
			drawn.delete(section);
			draw(section);
		}
	});
	$("#selection button").addEventListener("click", () => select());
	addEventListener("keydown", e => {
		if (e.target.matches("input") && e.key !== "Escape" || e.ctrlKey || e.altKey || e.metaKey) return;
		const places = $$("section, .alike > summary").filter(s => !s.matches(".alike:not([open]) section"));
		const at = places.findLastIndex(s => s.getBoundingClientRect().top < 80);
		const go = { n: at + 1, p: at - 1 }[e.key];
		if (go !== undefined) {
			const place = places[Math.min(Math.max(go, 0), places.length - 1)];
			place?.scrollIntoView();
			place?.focus({ preventScroll: true }); // a fold, which Enter opens
		}
		if (e.key === "Escape") select();
		if (e.key === "/") {
			e.preventDefault();
			(places[Math.max(at, 0)] && $("input", places[Math.max(at, 0)]))?.focus();
		}
	});
	document.body.dataset.ready = "";
}

begin();
