#include "model/graphs/precedence.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/adjacency_matrix.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/graph/transitive_closure.hpp>
#include <iterator>
#include <ostream>
#include <sstream>

#include "model/catalogue.h"

namespace pallasite {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

bool Refuses(const RuleDoc& doc) { return doc.defect != DefectKind::kAccepted; }

// Vertices: the rules, then one for the end of every stage, twice: rules that
// refuse are all over before one counts that wrongly accepts.
class Layout {
 public:
  explicit Layout(size_t rules) : rules_(rules) {}
  size_t size() const { return rules_ + 2 * kStageCount; }
  size_t EndOf(size_t step) const { return rules_ + step; }
  // Of 2 * kStageCount steps the one at which a stage asks about a rule.
  static size_t Step(Stage stage, bool refuses) {
    return static_cast<size_t>(stage) + (refuses ? 0 : kStageCount);
  }

 private:
  size_t rules_;
};

Graph Build(const RuleList& rules) {
  const Layout layout(rules.size());
  Graph graph(layout.size());
  for (size_t step = 1; step < 2 * kStageCount; ++step) {
    boost::add_edge(layout.EndOf(step - 1), layout.EndOf(step), graph);
  }
  for (size_t rule = 0; rule < rules.size(); ++rule) {
    const bool refuses = Refuses(*rules[rule].doc);
    const size_t first = Layout::Step(rules[rule].stages.first, refuses);
    const size_t last = Layout::Step(rules[rule].stages.last, refuses);
    if (first > 0) boost::add_edge(layout.EndOf(first - 1), rule, graph);
    boost::add_edge(rule, layout.EndOf(last), graph);
  }
  return graph;
}

std::string Label(const ListedRule& rule) {
  std::string label(rule.doc->id);
  if (rule.doc->defect != DefectKind::kNone) label += "\\n(defect)";
  return label;
}

}  // namespace

const Precedence& Precedence::OfCatalogue() {
  static const Precedence& precedence =
      *new Precedence(RuleList(ListedRules().begin(), ListedRules().end()));
  return precedence;
}

Precedence::Precedence(const RuleList& rules) : rules_(rules) {
  const Graph graph = Build(rules_);
  std::vector<size_t> reversed;
  // Throws boost::not_a_dag on a cycle, which only a range of stages that ends
  // before it begins could make.
  boost::topological_sort(graph, std::back_inserter(reversed));
  for (auto vertex = reversed.rbegin(); vertex != reversed.rend(); ++vertex) {
    if (*vertex < rules_.size()) order_.push_back(*vertex);
  }
  Graph closure;
  boost::transitive_closure(graph, closure);
  dominates_.assign(rules_.size(), std::vector<bool>(rules_.size()));
  for (size_t rule = 0; rule < rules_.size(); ++rule) {
    index_.emplace(rules_[rule].doc, rule);
    const auto [edge, end] = boost::out_edges(rule, closure);
    for (auto it = edge; it != end; ++it) {
      const size_t other = boost::target(*it, closure);
      if (other < rules_.size()) dominates_[rule][other] = true;
    }
  }
}

bool Precedence::Dominates(const RuleDoc& winner, const RuleDoc& loser) const {
  return dominates_[index_.at(&winner)][index_.at(&loser)];
}

std::vector<const RuleDoc*> Precedence::Order() const {
  std::vector<const RuleDoc*> docs;
  docs.reserve(order_.size());
  for (const size_t rule : order_) docs.push_back(rules_[rule].doc);
  return docs;
}

std::string Precedence::Dot() const {
  const Graph graph = Build(rules_);
  const auto name = [&](std::ostream& out, size_t vertex) {
    if (vertex < rules_.size()) {
      out << "[shape=box, label=\"" << Label(rules_[vertex]) << "\"]";
      return;
    }
    const size_t step = vertex - rules_.size();
    const auto stage = static_cast<Stage>(step % kStageCount);
    out << "[shape=plain, label=\"after " << Name(stage)
        << (step < kStageCount ? "" : " (wrongly accepted)") << "\"]";
  };
  std::ostringstream out;
  boost::write_graphviz(
      out, graph, name, boost::default_writer(),
      [](std::ostream& graph_out) { graph_out << "rankdir=LR;\n"; });
  return out.str();
}

}  // namespace pallasite
