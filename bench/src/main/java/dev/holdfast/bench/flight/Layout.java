package dev.holdfast.bench.flight;

import java.util.ArrayList;
import java.util.List;

/**
 * How a model is spread over ranks: tensor parallel ranks are neighbours, then data parallel ones
 * (experts are spread over some of those), then pipeline stages.
 */
record Layout(int data, int tensor, int pipeline, int expert) {

  /**
   * One process group.
   *
   * @param name as PyTorch numbers them
   * @param kind one of WORLD, TENSOR, DATA, EXPERT, PIPELINE
   */
  record Team(int name, String kind, List<Integer> ranks) {
    Team {
      ranks = List.copyOf(ranks);
    }
  }

  int ranks() {
    return data * tensor * pipeline;
  }

  int rank(int stage, int replica, int shard) {
    return (stage * data + replica) * tensor + shard;
  }

  /** All groups in the order every rank creates them. */
  List<Team> teams() {
    List<Team> teams = new ArrayList<>();
    List<Integer> all = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      all.add(rank);
    }
    teams.add(new Team(0, "WORLD", all));
    for (int stage = 0; stage < pipeline; stage++) {
      for (int shard = 0; shard < tensor; shard++) {
        List<Integer> replicas = new ArrayList<>();
        for (int replica = 0; replica < data; replica++) {
          replicas.add(rank(stage, replica, shard));
        }
        add(teams, "DATA", replicas);
        for (int from = 0; expert > 1 && from < data; from += expert) {
          add(teams, "EXPERT", replicas.subList(from, from + expert));
        }
      }
      for (int replica = 0; replica < data; replica++) {
        List<Integer> shards = new ArrayList<>();
        for (int shard = 0; shard < tensor; shard++) {
          shards.add(rank(stage, replica, shard));
        }
        add(teams, "TENSOR", shards);
      }
    }
    for (int replica = 0; replica < data; replica++) {
      for (int shard = 0; shard < tensor; shard++) {
        List<Integer> stages = new ArrayList<>();
        for (int stage = 0; stage < pipeline; stage++) {
          stages.add(rank(stage, replica, shard));
        }
        add(teams, "PIPELINE", stages);
      }
    }
    return teams;
  }

  private static void add(List<Team> teams, String kind, List<Integer> ranks) {
    if (ranks.size() > 1) {
      teams.add(new Team(teams.size(), kind, ranks));
    }
  }
}
