/**
 * The nodes of a job with their ranks, of the host lists they are told in: prefix[1-3,7]suffix, name. What is no host
 * list is taken as a name.
 */
const MOST = 100000;

export function* members(job) {
  let count = 0;
  for (const element of job.members ?? []) {
    let rank = element.firstRank;
    for (const node of hosts(element.nodes ?? element.node)) {
      if (++count > MOST) {
        return;
      }
      yield { node, firstRank: rank, processes: element.processes };
      rank += element.processes;
    }
  }
}

function* hosts(list) {
  for (const item of list.split(/,(?![^[]*\])/)) {
    const [, prefix, ranges, suffix] = /^([^[]*)\[([^\]]*)\](.*)$/.exec(item) ?? [];
    if (ranges === undefined) {
      yield item;
      continue;
    }
    for (const range of ranges.split(",")) {
      const [first, last = first] = range.split("-");
      for (let number = Number(first); number <= Number(last); number++) {
        yield prefix + String(number).padStart(first.length, "0") + suffix;
      }
    }
  }
}
